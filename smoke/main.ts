import { describeSmoke, readOptions } from './options.ts';
import { formatLine, formatSum } from './report.ts';
import { runLines } from './run.ts';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === undefined) return console.log(describeSmoke());
  const { json, url } = options;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const told = await runLines(options, (line) => json || console.log(formatLine(line)), stop.signal);
  const isOk = told.every(({ result }) => result !== 'failed');
  if (json) console.log(JSON.stringify({ url: url.href, ok: isOk, lines: told }, undefined, 2));
  else console.log(`\n${formatSum(told)}`);
  process.exitCode = isOk ? 0 : 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
