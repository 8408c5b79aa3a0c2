import { parseArgs } from 'node:util';

import { describeFailure } from '../local/programs.ts';
import { openEmptyTable } from './export/empty-table.ts';
import { readVerified } from './export/manifest.ts';
import { showCount } from './export/show-count.ts';

const help = `npm run load -- --from <folder> [options]      makes a catalogue of an export

  --from <folder>   what \`npm run export\` has written
  --to <folder>     a new data folder for a local server (default: .data)
  --help            this text

Environment: TABLE_NAME names a table of AWS to load into, with credentials that may create, describe and write it; with
DYNAMODB_ENDPOINT, that of another engine. The table is created if it does not exist. It must be empty and have no stream.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      to: { type: 'string', default: '.data' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  if (values.from === undefined) throw new Error('`--from <folder>` is missing.');
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

main().catch((error: unknown) => {
  console.error(describeFailure(error));
  process.exitCode = 1;
});
