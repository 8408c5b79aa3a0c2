import { marshall } from '@aws-sdk/util-dynamodb';

import type { DidKey } from '../../lib/contract/schemas/did.ts';
import { insertDid } from '../../lib/store/entities/did.ts';
import { insertEdge } from '../../lib/store/entities/edge.ts';
import type { Item } from '../../lib/store/items/item.ts';
import type { Transport } from '../../local/engine/src/transport.ts';

/** A catalogue to measure on; the same numbers make the same catalogue. */
export interface CatalogueSize {
  readonly scope: string;
  /** Files, all of them in the dataset `everything`. */
  readonly files: number;
  /** Empty datasets beside it. */
  readonly collections: number;
  /** Chooses names and sizes. */
  readonly seed: number;
  /** Characters of a file's name, 19 at least: long ones fill the table's pages with few rows. */
  readonly nameLength?: number;
}

/** Parallel requests, which the engine commits together. */
const maxParallelRequests = 40;
const perRequest = 25;

/**
 * Writes the items that the service would write directly into the table: a million DIDs take minutes instead of hours. Names are
 * spread over the whole range of a scope, as in production.
 *
 * @param say Called with messages about the progress.
 * @param engine One of this process.
 * @returns The number of items written.
 * @throws Error when the engine refuses an item.
 */
export async function seedCatalogue(
  engine: Transport,
  tableName: string,
  size: CatalogueSize,
  say: (line: string) => void = () => {},
): Promise<number> {
  const items = catalogueItems(size);
  let written = 0;
  const write = async () => {
    for (let batch = take(items); batch.length > 0; batch = take(items)) {
      const request = { RequestItems: { [tableName]: batch.map(toRequest) } };
      const { status, body } = await engine.send('BatchWriteItem', JSON.stringify(request));
      if (status !== 200) throw new Error(`the engine refused to write: ${body}`);
      written += batch.length;
      if (written % 100_000 < perRequest) say(`  ${written} items`);
    }
  };
  await Promise.all(Array.from({ length: maxParallelRequests }, write));
  return written;
}

function take(items: Iterator<Item>): Item[] {
  const batch: Item[] = [];
  while (batch.length < perRequest) {
    const next = items.next();
    if (next.done === true) break;
    batch.push(next.value);
  }
  return batch;
}

const toRequest = (item: Item) => ({
  PutRequest: { Item: marshall(item, { removeUndefinedValues: true }) },
});

const never = () => new Error('not written through a plan');

function* catalogueItems({ scope, files, collections, seed, nameLength = 19 }: CatalogueSize): Generator<Item> {
  const random = generator(seed);
  const createdAt = Date.UTC(2026, 0, 1);
  const common = {
    scope,
    account: 'root',
    createdAt,
    updatedAt: createdAt,
    columns: {},
    meta: {},
    replicas: new Map(),
  };
  const dataset = { ...common, type: 'DATASET' as const, open: true, monotonic: false };
  const parent: DidKey = { scope, name: 'everything' };
  let sum = 0;
  for (let index = 0; index < files; index += 1) {
    const name = `${pad(Math.floor(random() * 1e6), 6)}.${pad(index, 7)}.root`.padEnd(nameLength, 'x');
    const type = 'FILE' as const;
    const bytes = 1 + Math.floor(random() * 4e9);
    const adler32 = pad(Math.floor(random() * 2 ** 32), 8, 16);
    sum += bytes;
    yield insertDid({ ...common, name, type, bytes, adler32 }, never).item;
    yield insertEdge({ parent, child: { scope, name }, type, bytes, adler32, createdAt }, never).item;
  }
  yield insertDid({ ...dataset, ...parent, length: files, bytes: sum }, never).item;
  for (let index = 0; index < collections; index += 1) {
    yield insertDid({ ...dataset, name: `set.${pad(index, 6)}`, length: 0, bytes: 0 }, never).item;
  }
}

const pad = (value: number, digits: number, base = 10) => value.toString(base).padStart(digits, '0');

/** Seeded random numbers between 0 and 1 (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
