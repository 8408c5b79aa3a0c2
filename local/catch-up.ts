import { parseArgs } from 'node:util';

import { describeFailure, openEngineOf } from './programs.ts';

const help = `npm run catch-up -- [options]      finds what followed from no change, because the stream of the table was lost

  --since <date>    looks at what was changed since then, for instance 2026-11-20T12:00:00Z
                    (default: 13 hours before the last event)
  --data <folder>   the data of a local server, which must not run (default: .data)
  --help            this text

Environment: TABLE_NAME names the table of a deployment, with AWS credentials that may scan and write it; with
DYNAMODB_ENDPOINT, the table is that of another engine. The catalogue may serve requests meanwhile. Rules, subscriptions,
usage and events follow from what is found by the deployed function \`follow-owed\`, within five minutes; locally when the
server starts.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      since: { type: 'string' },
      data: { type: 'string', default: '.data' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  const since = values.since === undefined ? undefined : Date.parse(values.since);
  if (Number.isNaN(since)) throw new Error('`--since` takes a date such as 2026-11-20 or 2026-11-20T12:00:00Z.');
  const engine = openEngineOf(values.data);
  try {
    const { openStore } = await import('../lib/store/open-store.ts');
    const { oweChangesSince } = await import('./owe-changes.ts');
    const found = await oweChangesSince(openStore(engine?.client), since);
    const from = new Date(found.since).toISOString();
    console.log(`${found.changes} ${found.changes === 1 ? 'change' : 'changes'} since ${from}, to be followed again.`);
  } finally {
    engine?.close();
  }
}

main().catch((error: unknown) => {
  console.error(describeFailure(error));
  process.exitCode = 1;
});
