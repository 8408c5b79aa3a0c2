import { compareServers } from './compare/compare.ts';
import { help, readOptions } from './compare/options.ts';
import { showProgress } from './compare/progress.ts';
import { Report } from './compare/report.ts';
import { sampleOf } from './compare/sample.ts';
import { openSession } from './compare/session.ts';

/** Runs the comparison, and sets the exit code. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === undefined) {
    console.log(help);
    return;
  }
  const progress = showProgress(process.stderr);
  const report = new Report({
    json: options.json,
    decided: options.decided,
    write: (line) => {
      progress.clear();
      console.log(line);
    },
  });
  try {
    const comparison = {
      left: openSession(options.left),
      right: openSession(options.right),
      only: options.only,
      scopes: options.scopes,
      isChosen: sampleOf(options.share),
      parallel: options.parallel,
      onProgress: progress.count,
    };
    await compareServers(comparison, report);
  } finally {
    progress.clear();
  }
  process.exitCode = report.end();
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
});
