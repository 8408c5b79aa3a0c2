import type { Item } from '../lib/store/items/item.ts';
import type { Store } from '../lib/store/open-store.ts';
import { noteBackup } from '../local/last-backup.ts';
import type { LocalEngine } from '../local/open-engine.ts';
import { required, text, toggle, type Values } from '../local/option.ts';
import { describeTable, openEngineOf, runProgram } from '../local/programs.ts';
import { dataOption, helpOption, sinceOption } from '../local/shared-options.ts';
import { showCount } from './export/show-count.ts';
import { takeSnapshot } from './export/snapshot.ts';

const options = {
  to: required('--to <folder>', 'takes the files; a new folder, or an empty one'),
  from: dataOption('the data of a local server, which may run meanwhile', '--from <folder>'),
  format: text('--format <format>', {
    default: 'dapple',
    help: 'dapple: everything, to be loaded again; rucio: what a Rucio takes over REST',
    read: (given = 'dapple') => {
      if (given !== 'dapple' && given !== 'rucio') throw new Error('`--format` is dapple or rucio.');
      return given;
    },
  }),
  since: sinceOption('with --format rucio: only DIDs, replicas and rules that were made since then'),
  withoutPasswords: toggle('--without-passwords', 'leaves out the hashes of passwords'),
  help: helpOption,
};

async function main(values: Values<typeof options>): Promise<void> {
  const { to, format, since = 0 } = values;
  // Hides warnings about batches that are rolled back in the copy: in the original they are still under way.
  process.env['LOG_LEVEL'] ??= 'ERROR';
  const begun = Date.now();
  const isLocal = process.env['TABLE_NAME'] === undefined && !process.env['DYNAMODB_ENDPOINT'];
  const snapshot = isLocal ? await takeSnapshot(values.from) : undefined;
  const engine = openEngineOf(snapshot?.folder ?? values.from);
  const progress = showCount('items');
  try {
    const { openStore } = await import('../lib/store/open-store.ts');
    const store = openStore(engine?.client);
    if (format === 'rucio') {
      const { exportForRucio } = await import('./export/rucio/export-for-rucio.ts');
      for (const line of await exportForRucio({ store, folder: to, since })) console.log(line);
      return;
    }
    const { exportCatalogue } = await import('./export/export-catalogue.ts');
    const owed = snapshot && engine && (await findOwed(store, engine, snapshot.folder));
    const passwords = !values.withoutPasswords;
    const wanted = { store, folder: to, passwords, ...(owed && { owed }), onProgress: progress.count };
    const { files } = await exportCatalogue(wanted);
    if (snapshot !== undefined && passwords) noteBackup(values.from, begun);
    progress.clear();
    const sum = (count: (file: (typeof files)[number]) => number) =>
      files.reduce((total, file) => total + count(file), 0);
    console.log(`${sum(({ records }) => records)} items in ${files.length} files, ${sum(({ bytes }) => bytes)} bytes.`);
  } finally {
    progress.clear();
    engine?.close();
    await snapshot?.remove();
  }
}

/** Changes that the server of a copied folder has not followed; nobody writes to the copy. */
async function findOwed(store: Store, engine: LocalEngine, folder: string): Promise<AsyncIterable<Item>> {
  await store.recoverBatches(true);
  const { owedItems } = await import('./export/owed-items.ts');
  return owedItems({ engine, store: store.begin(), folder, tableName: process.env['TABLE_NAME'] || 'Dapple' });
}

await runProgram({
  usage: 'npm run export -- --to <folder> [options]',
  summary: 'writes a whole catalogue as files of JSON lines',
  options,
  notes: [
    describeTable('scan', 'Nobody should write to such a table meanwhile: restore a copy of it and export that.'),
  ],
  run: main,
});
