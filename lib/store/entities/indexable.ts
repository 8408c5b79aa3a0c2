import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { termVersion } from '../items/ordered-term.ts';
import type { Change } from '../items/plan.ts';
import { didKeys, didOf } from '../keys/did-keys.ts';
import { isHidden } from './did-item.ts';
import { freeIndexAttribute } from './did-metadata.ts';
import { changeDid } from './did.ts';
import { type FreeKeys, getFreeKeys, mayBeIndexed } from './free-keys.ts';
import { freeKeysOf, hasFreeTerm, keysWithEntries } from './free-metadata.ts';
import { type FreeIndex, freeKeysName, indexedKeys, type IndexState, maintainedFree } from './index-state.ts';
import { indexedTermsOf, termsOf } from './metadata-index.ts';

/** A DID, and whether its entries have to be rebuilt. */
export interface Indexable extends DidKey {
  readonly outdated: boolean;
}

/**
 * The DIDs of one shard of a scope, by name, for building the index. DIDs with a value of a `filling` key are always
 * outdated: a process with an older cached state may have changed the value without the entry.
 */
export async function* listIndexable(
  table: Table,
  { scope, shard, name }: { readonly scope: string; readonly shard: number; readonly name?: string },
  state: IndexState,
): AsyncGenerator<Indexable> {
  const free = maintainedFree(state);
  const freeKeys = free === undefined ? undefined : await getFreeKeys(table.latest(), scope, free.epoch);
  for await (const item of table.query({ pk: didKeys.shard(scope, shard), after: name })) {
    const isOutdated = areConfiguredOutdated(item, state) || areFreeOutdated(item, state, free, freeKeys);
    yield { ...didOf(item), outdated: !isHidden(item) && isOutdated };
  }
}

function areConfiguredOutdated(item: Item, state: IndexState): boolean {
  const indexed = indexedKeys(state);
  const [present, wanted] = [indexedTermsOf(item), termsOf(item, indexed)];
  const differs = present.size !== wanted.size || [...wanted].some(([key, term]) => present.get(key) !== term);
  return differs || indexed.some((key) => state.keys.get(key) === 'filling' && wanted.has(key));
}

/** Whether a DID has entries for other free keys than it should; keys that are new in the scope count as wanted. */
function areFreeOutdated(
  item: Item,
  state: IndexState,
  free: FreeIndex | undefined,
  known: FreeKeys | undefined,
): boolean {
  const keys = freeKeysOf(item);
  if (free === undefined || known === undefined || keys.length === 0) return false;
  if (free.isDoubtful && state.keys.get(freeKeysName) === 'filling') return true;
  if (item[freeIndexAttribute] !== termVersion) return true;
  const wanted = keys.filter(
    (key) => mayBeIndexed(key, free) && (known.keys.has(key) || !known.isFull) && hasFreeTerm(item, key),
  );
  const present = new Set(keysWithEntries(item, keys));
  return present.size !== wanted.length || wanted.some((key) => !present.has(key));
}

/** The write that rebuilds the entries of a DID. */
export function reindexDid(did: DidKey, onMissing: () => Error): Change {
  return { ...changeDid(did, {}, { onMismatch: onMissing }), reindex: true };
}
