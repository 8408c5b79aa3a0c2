import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { onStop } from '../../local/stop-signals.ts';
import { briefSuite } from './brief.ts';
import { notMade } from './not-made.ts';
import { account, region } from './support/aws.ts';
import {
  type Deployment,
  deployFirst,
  destroy,
  redeployChanged,
  redeployUnchanged,
  refuseDropped,
} from './support/deployment.ts';
import { openPageInBrowser } from './support/page.ts';
import { rehearseRestore } from './support/rehearsal.ts';
import { smokeTest } from './support/smoke.ts';
import { differences, ofFiles, type Outcomes, readReport, runSuite, summarise } from './support/suite.ts';
import { openWorkshop, type Workshop } from './support/workshop.ts';

const help = `npm run test:deploy -- [options] [files]      deploys the stack into an emulator and tests it there

  --brief             only some of the test files, in two minutes (brief.ts)
  --rehearsal         only the rehearsal of a restore, in a minute
  --page              only the page in a browser, in a minute
  --smoke             only the smoke test, in a minute
  --against <report>  a report of the same tests on a local server, by vitest's reporter json; may be given again.
                      Without one they are run on a local server as well.
  --help              this text

files: only test files whose paths contain one of these texts, for trials.`;

// Used by the SDK in this process and in the pollers; the engine separates tables by access key and region.
Object.assign(process.env, { AWS_ACCESS_KEY_ID: account, AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: region });

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      against: { type: 'string', multiple: true },
      brief: { type: 'boolean', default: false },
      rehearsal: { type: 'boolean', default: false },
      page: { type: 'boolean', default: false },
      smoke: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
  });
  if (values.help) return console.log(help);
  const scratch = await mkdtemp(join(tmpdir(), 'dapple-deploy-'));
  let workshop: Workshop | undefined;
  const close = async () => {
    await workshop?.close();
    await rm(scratch, { recursive: true, force: true });
  };
  onStop(() => void close().finally(() => process.exit(1)));
  try {
    workshop = await openWorkshop(scratch, !values.brief && !values.rehearsal && !values.page && !values.smoke);
    const deployment = await deployFirst(workshop, notMade);
    if (values.page) {
      await openPageInBrowser(deployment);
      return await destroy(deployment);
    }
    if (values.smoke) {
      await smokeTest(deployment);
      return await destroy(deployment);
    }
    await rehearseRestore(deployment);
    if (values.rehearsal) return await destroy(deployment);
    const problems = await compare(deployment, {
      scratch,
      files: values.brief ? briefSuite : positionals,
      against: values.against ?? [],
    });
    await smokeTest(deployment);
    await openPageInBrowser(deployment);
    await redeployUnchanged(deployment);
    await refuseDropped(deployment);
    await redeployChanged(deployment);
    await destroy(deployment);
    if (problems.length > 0) throw new Error(`the results differ:\n${problems.join('\n')}`);
    workshop.say('done');
  } finally {
    await close();
  }
}

/** Runs the suite on the deployed API and compares it with the suite on a local server; returns the differences. */
async function compare(
  { workshop: { timed, say }, server }: Deployment,
  { scratch, files, against }: { scratch: string; files: readonly string[]; against: readonly string[] },
): Promise<string[]> {
  const deployed = await timed('the tests on the deployed API', () =>
    runSuite({ server, files, report: join(scratch, 'deployed.json') }),
  );
  const local =
    against.length > 0
      ? ofFiles(merge(await Promise.all(against.map(readReport))), deployed)
      : await timed('the same tests on a local server', () => runSuite({ files, report: join(scratch, 'local.json') }));
  for (const [where, outcomes] of Object.entries({ deployed, local })) {
    const { tests, passed, failed } = summarise(outcomes);
    say(`${where.padEnd(8)} ${tests} tests, ${passed} passed, ${failed} failed`);
  }
  return [
    ...differences(deployed, local),
    ...[...local].flatMap(([name, outcome]) => (outcome === 'failed' ? [`${name}: fails on the local server`] : [])),
    ...(deployed.size === 0 ? ['no test was run'] : []),
  ];
}

function merge(reports: readonly Outcomes[]): Outcomes {
  return new Map(reports.flatMap((outcomes) => [...outcomes]));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
