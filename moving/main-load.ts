import { required, type Values } from '../local/option.ts';
import { runProgram } from '../local/programs.ts';
import { dataOption, helpOption } from '../local/shared-options.ts';
import { openEmptyTable } from './export/empty-table.ts';
import { readVerified } from './export/manifest.ts';
import { showCount } from './export/show-count.ts';

const options = {
  from: required('--from <folder>', 'what `npm run export` has written'),
  to: dataOption('a new data folder for a local server', '--to <folder>'),
  help: helpOption,
};

async function main(values: Values<typeof options>): Promise<void> {
  const manifest = await readVerified(values.from);
  const table = await openEmptyTable(values.to);
  const progress = showCount('items');
  try {
    const { openStore } = await import('../lib/store/open-store.ts');
    const { loadExport } = await import('./export/load-export.ts');
    const store = openStore(table.client);
    const count = await loadExport({ store, folder: values.from, manifest, onProgress: progress.count });
    progress.clear();
    await table.finish();
    console.log(`${count} items loaded into ${table.address}.`);
  } finally {
    progress.clear();
    await table.close();
  }
}

await runProgram({
  usage: 'npm run load -- --from <folder> [options]',
  summary: 'makes a catalogue of an export',
  options,
  notes: [
    'Environment: TABLE_NAME names a table of AWS to load into, with credentials that may create, describe and write it; with ' +
      'DYNAMODB_ENDPOINT, that of another engine. The table is created if it does not exist. It must be empty and have no stream.',
  ],
  run: main,
});
