import { describeTable, openEngineOf, runProgram } from './programs.ts';
import { dataOption, helpOption } from './shared-options.ts';

async function recover({ data }: { readonly data: string }): Promise<void> {
  const engine = openEngineOf(data);
  try {
    const { openStore } = await import('../lib/store/open-store.ts');
    const count = await openStore(engine?.client).recoverBatches(true);
    console.log(`${count} bulk ${count === 1 ? 'request' : 'requests'} rolled back, nothing is left under way.`);
  } finally {
    engine?.close();
  }
}

await runProgram({
  usage: 'npm run recover -- [options]',
  summary: 'rolls back what was under way when a table was backed up',
  options: { data: dataOption('the data of a local server, which must not run'), help: helpOption },
  notes: [
    describeTable(
      'read and write',
      'Nobody else may write to the table: every bulk request that is not committed is taken for one whose process is gone.',
    ),
  ],
  run: recover,
});
