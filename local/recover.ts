import { parseArgs } from 'node:util';

import { describeFailure, openEngineOf } from './programs.ts';

const help = `npm run recover -- [options]      rolls back what was under way when a table was backed up

  --data <folder>   the data of a local server, which must not run (default: .data)
  --help            this text

Environment: TABLE_NAME names the table of a deployment, with AWS credentials that may read and write it; with
DYNAMODB_ENDPOINT, the table is that of another engine. Nobody else may write to the table: every bulk request that is
not committed is taken for one whose process is gone.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', default: '.data' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  const engine = openEngineOf(values.data);
  try {
    const { openStore } = await import('../lib/store/open-store.ts');
    const count = await openStore(engine?.client).recoverBatches(true);
    console.log(`${count} bulk ${count === 1 ? 'request' : 'requests'} rolled back, nothing is left under way.`);
  } finally {
    engine?.close();
  }
}

main().catch((error: unknown) => {
  console.error(describeFailure(error));
  process.exitCode = 1;
});
