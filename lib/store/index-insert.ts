import { freeEntriesOf, freeIndexNotes } from './entities/free-metadata.ts';
import { indexedKeys, type IndexState } from './entities/index-state.ts';
import { entriesOf, type KeyedEntry, termsOf } from './entities/metadata-index.ts';
import type { Item } from './items/item.ts';

/** A new DID as the metadata index contains it. */
export interface IndexedDid {
  /** The item of the DID, with the notes about its entries. */
  readonly item: Item;
  readonly entries: readonly KeyedEntry[];
}

/**
 * The entries of a new DID in the metadata index.
 *
 * @param freeKeys The free keys of the DID that the index may contain.
 * @param indexed Those of them that it contains.
 */
export function indexNewDid(
  item: Item,
  state: IndexState,
  { freeKeys, indexed }: { readonly freeKeys: readonly string[]; readonly indexed: readonly string[] },
): IndexedDid {
  const terms = termsOf(item, indexedKeys(state));
  const places = terms.size === 0 ? {} : { indexed: Object.fromEntries(terms) };
  return {
    item: { ...item, ...places, ...freeIndexNotes(undefined, item, freeKeys, indexed) },
    entries: [...entriesOf(item, terms), ...freeEntriesOf(item, indexed)],
  };
}
