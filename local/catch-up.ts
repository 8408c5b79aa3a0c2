import { describeTable, openEngineOf, runProgram } from './programs.ts';
import { dataOption, helpOption, sinceOption } from './shared-options.ts';

async function catchUp({ since, data }: { readonly since: number | undefined; readonly data: string }): Promise<void> {
  const engine = openEngineOf(data);
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

await runProgram({
  usage: 'npm run catch-up -- [options]',
  summary: 'finds what followed from no change, because the stream of the table was lost',
  options: {
    since: sinceOption(
      'looks at what was changed since then, for instance 2026-11-20T12:00:00Z',
      '13 hours before the last event',
    ),
    data: dataOption('the data of a local server, which must not run'),
    help: helpOption,
  },
  notes: [
    describeTable('scan and write', 'The catalogue may serve requests meanwhile.'),
    'Rules, subscriptions, usage and events follow from what is found by the deployed function `follow-owed`, within five ' +
      'minutes; locally when the server starts.',
  ],
  run: catchUp,
});
