import { isDeepStrictEqual } from 'node:util';

import type { Table } from './batches/table.ts';
import { metadataKeyOf } from './entities/did-metadata.ts';
import type { KeyedEntry } from './entities/metadata-index.ts';
import type { Item } from './items/item.ts';
import { LostRace, type Write } from './items/plan.ts';
import { textOfKey } from './keys/key-parts.ts';

/** The entries of a DID before and after a change. */
export interface EntryMove {
  readonly from: readonly KeyedEntry[];
  readonly to: readonly KeyedEntry[];
  /** The entries may differ from `from`: they are read. */
  readonly isDoubtful: boolean;
}

/**
 * The writes that turn the entries of the metadata index before a change into those after it.
 *
 * @param isRetry All entries may differ.
 */
export async function writeEntries(latest: Table, moves: readonly EntryMove[], isRetry: boolean): Promise<Write[]> {
  const doubtful = moves.filter(({ isDoubtful }) => isRetry || isDoubtful);
  const keys = doubtful.flatMap(({ from, to }) => [...from, ...to].map(({ key }) => key));
  const items = keys.length === 0 ? [] : await latest.getMany(keys);
  const found = new Map(items.map((item) => [textOfKey(item), item]));
  return moves.flatMap((move) => writeMove(move, isRetry || move.isDoubtful ? found : undefined));
}

function writeMove({ from, to }: EntryMove, found: ReadonlyMap<string, Item> | undefined): Write[] {
  const former = new Map(from.map(({ key, content }) => [textOfKey(key), content]));
  const wanted = new Map(to.map(({ key, content }) => [textOfKey(key), content]));
  const places = new Map([...from, ...to].map(({ key }) => [textOfKey(key), key]));
  return Array.from(places, ([place, key]): Write[] => {
    const present = (found ?? former).get(place);
    const content = wanted.get(place);
    const raced = () => new LostRace(`the entry ${place} of the metadata index differs from its DID`);
    if (content === undefined) {
      return present === undefined ? [] : [{ kind: 'change', key, patch: { delete: true }, onMismatch: raced }];
    }
    if (present === undefined) return [{ kind: 'insert', item: { ...key, ...content }, onExists: raced }];
    const patch = makePatch(present, content);
    return patch === undefined ? [] : [{ kind: 'change', key, patch, onMismatch: raced }];
  }).flat();
}

/** The patch that turns one content of an entry into another; undefined if they are equal. */
function makePatch(present: Readonly<Record<string, unknown>>, wanted: Readonly<Record<string, unknown>>) {
  const set = Object.entries(wanted).filter(([attribute, value]) => !isDeepStrictEqual(present[attribute], value));
  const remove = Object.keys(present).filter((attribute) => isOfEntry(attribute) && !Object.hasOwn(wanted, attribute));
  if (set.length + remove.length === 0) return undefined;
  return { set: Object.fromEntries(set), remove };
}

const isOfEntry = (attribute: string) => metadataKeyOf(attribute) !== undefined || attribute === 'partial';
