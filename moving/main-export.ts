import { parseArgs } from 'node:util';

import type { Item } from '../lib/store/items/item.ts';
import type { Store } from '../lib/store/open-store.ts';
import type { LocalEngine } from '../local/open-engine.ts';
import { describeFailure, openEngineOf } from '../local/programs.ts';
import { showCount } from './export/show-count.ts';
import { takeSnapshot } from './export/snapshot.ts';

const help = `npm run export -- --to <folder> [options]      writes a whole catalogue as files of JSON lines

  --to <folder>         takes the files; a new folder, or an empty one
  --from <folder>       the data of a local server, which may run meanwhile (default: .data)
  --format <format>     dapple: everything, to be loaded again (default); rucio: what a Rucio takes over REST
  --since <date>        with --format rucio: only DIDs, replicas and rules that were made since then
  --without-passwords   leaves out the hashes of passwords
  --help                this text

Environment: TABLE_NAME names the table of a deployment, with AWS credentials that may scan it; with DYNAMODB_ENDPOINT, the
table is that of another engine. Nobody should write to such a table meanwhile: restore a copy of it and export that.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      to: { type: 'string' },
      from: { type: 'string', default: '.data' },
      format: { type: 'string', default: 'dapple' },
      since: { type: 'string' },
      'without-passwords': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  const { to, format } = values;
  if (to === undefined) throw new Error('`--to <folder>` is missing.');
  if (format !== 'dapple' && format !== 'rucio') throw new Error('`--format` is dapple or rucio.');
  const since = readSince(values.since);
  // Hides warnings about batches that are rolled back in the copy: in the original they are still under way.
  process.env['LOG_LEVEL'] ??= 'ERROR';
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
    const passwords = !values['without-passwords'];
    const options = { store, folder: to, passwords, ...(owed && { owed }), onProgress: progress.count };
    const { files } = await exportCatalogue(options);
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

function readSince(text: string | undefined): number {
  const since = text === undefined ? 0 : Date.parse(text);
  if (Number.isNaN(since)) throw new Error('`--since` takes a date such as 2026-11-20 or 2026-11-20T12:00:00Z.');
  return since;
}

main().catch((error: unknown) => {
  console.error(describeFailure(error));
  process.exitCode = 1;
});
