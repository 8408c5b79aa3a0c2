import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { maintainMetadataIndex } from '../../lib/background/maintain-metadata-index.ts';
import { bootstrapRoot } from '../../lib/domain/accounts/bootstrap.ts';
import { freshFacts } from '../../lib/domain/permission/facts.ts';
import { getSearchableKeys } from '../../lib/domain/search/index-lists.ts';
import type { Context } from '../../lib/domain/values/context.ts';
import { measure } from '../../lib/store/items/meter.ts';
import { openStore, type Store } from '../../lib/store/open-store.ts';
import { setEnvironment } from '../../local/environment.ts';
import { localClient } from '../../local/local-client.ts';
import { clientOf, openEngine } from '../../local/open-engine.ts';
import { createTable } from '../../local/table.ts';
import { benches, root, seed } from './access-patterns.ts';
import type { Bench, Figures } from './bench.ts';
import { seedCatalogue } from './catalogue.ts';
import { manyFiles } from './tree-patterns.ts';
import { WaveCounter } from './waves.ts';

/** The figures of one operation in one catalogue. */
export interface Measurement {
  readonly bench: Bench;
  /** Round trips, and units as the engine reports them. */
  readonly figures: Figures;
  /** Waves of requests (waves.ts). */
  readonly waves: number;
  /** Processor time of service and engine a request, in milliseconds. */
  readonly cpu: number;
  /** Times of the runs in milliseconds, sorted; one run of operations that write or grow. */
  readonly times: readonly number[];
}

const scope = 'bench';

/**
 * Measures every operation in a new catalogue.
 *
 * @param files Number of further files in the catalogue.
 * @param repetitions How often an operation that only reads is repeated for its times; 0: not at all.
 * @param say Called with messages about the progress.
 */
export async function measureAll(
  files: number,
  repetitions: number,
  say: (line: string) => void,
): Promise<Measurement[]> {
  // Caches of the process are keyed by the name of the table.
  const tableName = `Dapple${files}`;
  const folder = await mkdtemp(join(tmpdir(), 'dapple-bench-'));
  const engine = openEngine(folder);
  const line = new WaveCounter(engine.transport);
  try {
    setEnvironment({ tableName });
    const client = localClient(engine.client);
    await createTable(client, tableName, { stream: false });
    client.destroy();
    const store = openStore({ ...clientOf(line), tableName });
    await bootstrapRoot(store, root);
    await maintainMetadataIndex({ store: store.begin(), now: Date.now() });
    await seed(() => asRoot(store));
    const size = { scope, files, collections: Math.ceil(files / 1_000), seed: 1 };
    await seedCatalogue(engine.transport, tableName, size, say);
    await seedCatalogue(engine.transport, tableName, manyFiles);

    const measurements: Measurement[] = [];
    for (const bench of benches) {
      await remember(store.begin());
      const begun = process.threadCpuUsage();
      const started = performance.now();
      const { result: waves, cost: figures } = await measure(() => line.count(() => bench.run(asRoot(store))));
      const single = { cpu: milliseconds(process.threadCpuUsage(begun)), times: [performance.now() - started] };
      // Operations whose answers grow take long in a large catalogue.
      const isOnce = figures.wru > 0 || bench.grows !== undefined || repetitions === 0;
      const repeated = isOnce ? single : await repeat(bench, store, repetitions);
      measurements.push({ bench, figures, waves, ...repeated });
    }
    return measurements;
  } finally {
    engine.close();
    await rm(folder, { recursive: true });
  }
}

/** Fills the caches of a warm process: the account and the scopes of the caller, the indexed metadata keys. */
async function remember(store: Store): Promise<void> {
  const facts = freshFacts(store);
  const scopes = [scope, 'trees', manyFiles.scope].map((name) => facts.scope(name));
  await Promise.all([facts.account('root'), ...scopes, getSearchableKeys(store.table)]);
}

/** Repeats an operation that only reads. */
async function repeat(bench: Bench, store: Store, repetitions: number): Promise<Pick<Measurement, 'cpu' | 'times'>> {
  const times: number[] = [];
  await bench.run(asRoot(store));
  const begun = process.threadCpuUsage();
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const start = performance.now();
    await bench.run(asRoot(store));
    times.push(performance.now() - start);
  }
  const cpu = milliseconds(process.threadCpuUsage(begun)) / repetitions;
  return { cpu, times: times.toSorted((a, b) => a - b) };
}

const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;

const asRoot = (store: Store): Context => ({
  store: store.begin(),
  // A number is shorter when it ends in zeros; this makes all writes equally large.
  now: 10 * Math.floor(Date.now() / 10) + 1,
  issuer: { account: 'root', identity: root.username },
});
