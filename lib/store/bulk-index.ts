import { type FreeKeys, mayBeIndexed } from './entities/free-keys.ts';
import { freeKeysOf, hasFreeTerm } from './entities/free-metadata.ts';
import { type FreeIndex, type IndexState, maintainedFree } from './entities/index-state.ts';
import { indexNewDid } from './index-insert.ts';
import type { Item } from './items/item.ts';
import type { Insert } from './items/plan.ts';
import { didOf } from './keys/did-keys.ts';

/**
 * The free keys that are indexed, by scope, for one process that fills a table alone: it adds keys as it meets them, and
 * writes the lists once (entities/free-keys.ts).
 */
export class FreeKeyLists {
  readonly #free: FreeIndex;
  readonly #lists: Map<string, { readonly keys: Set<string>; isFull: boolean }>;

  constructor(free: FreeIndex, known: Iterable<readonly [string, FreeKeys]> = []) {
    this.#free = free;
    this.#lists = new Map(Array.from(known, ([scope, { keys, isFull }]) => [scope, { keys: new Set(keys), isFull }]));
  }

  /** The lists so far. */
  *[Symbol.iterator](): Generator<readonly [string, FreeKeys]> {
    yield* this.#lists;
  }

  /** The free keys of a new DID that are indexed; adds those for which there is room. */
  add(item: Item, freeKeys: readonly string[]): string[] {
    const wanted = freeKeys.filter((key) => mayBeIndexed(key, this.#free) && hasFreeTerm(item, key));
    if (wanted.length === 0) return [];
    const { scope } = didOf(item);
    const list = this.#lists.get(scope) ?? { keys: new Set<string>(), isFull: false };
    this.#lists.set(scope, list);
    for (const key of wanted) {
      if (list.keys.has(key) || list.isFull) continue;
      if (list.keys.size < this.#free.maxKeys) list.keys.add(key);
      else list.isFull = true;
    }
    return freeKeys.filter((key) => list.keys.has(key));
  }
}

/** The writes that insert a DID together with its entries in the metadata index. */
export function withIndexEntries(insert: Insert, state: IndexState, lists: FreeKeyLists): Insert[] {
  const freeKeys = maintainedFree(state) === undefined ? [] : freeKeysOf(insert.item);
  const indexed = lists.add(insert.item, freeKeys);
  const { item, entries } = indexNewDid(insert.item, state, { freeKeys, indexed });
  const { onExists } = insert;
  const inserts = entries.map(({ key, content }): Insert => ({
    kind: 'insert',
    item: Object.assign({}, key, content),
    onExists,
  }));
  return [{ ...insert, item }, ...inserts];
}
