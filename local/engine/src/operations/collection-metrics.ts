import type { Mutation } from '../items/mutate.ts';
import type { Storage } from '../storage/storage.ts';
import type { Item } from '../values/attribute-value.ts';
import { encodeKeyValue } from '../values/key.ts';

const gigabyte = 2 ** 30;

/** Whether a request asks for the sizes of the item collections that it writes. */
export type CollectionDetail = 'SIZE' | 'NONE';

/**
 * The answer of a table with local indexes about the items with one hash key: the key, and bounds of their size in GB.
 */
interface CollectionMetrics {
  readonly ItemCollectionKey: Item;
  readonly SizeEstimateRangeGB: readonly [lower: number, upper: number];
}

/** Measures the item collections that a batch or transaction writes, if requested. */
export class Collections {
  readonly #storage: Storage;
  readonly #isAsked: boolean;
  readonly #byTable: Record<string, CollectionMetrics[]> = {};

  constructor(storage: Storage, detail: CollectionDetail | undefined) {
    this.#storage = storage;
    this.#isAsked = detail === 'SIZE';
  }

  /** Measures the collection of a written item. */
  add(mutation: Mutation): void {
    const metrics = this.#isAsked ? describeCollection(this.#storage, mutation) : undefined;
    if (metrics !== undefined) (this.#byTable[mutation.table.name] ??= []).push(metrics);
  }

  /** The metrics by table; undefined if not requested. */
  list(): Readonly<Record<string, readonly CollectionMetrics[]>> | undefined {
    return this.#isAsked ? this.#byTable : undefined;
  }
}

/** Measures the whole collection of a written item; undefined without a local index. */
export function describeCollection(
  { items }: Storage,
  { table, before, after }: Mutation,
): CollectionMetrics | undefined {
  const { id, keys, indexes } = table;
  const local = indexes.filter(({ kind }) => kind === 'local').map((index) => index.id);
  if (local.length === 0) return undefined;
  const value = (after ?? before?.item)?.[keys.hash.name];
  if (value === undefined) return undefined;
  const size = items.measureCollection(id, encodeKeyValue(value), local) / gigabyte;
  const lower = Math.floor(size);
  return { ItemCollectionKey: { [keys.hash.name]: value }, SizeEstimateRangeGB: [lower, lower + 1] };
}
