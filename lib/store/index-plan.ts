import { isDeepStrictEqual } from 'node:util';

import type { Table } from './batches/table.ts';
import { applyPatch } from './batches/view.ts';
import { metadataKeyOf } from './entities/did-metadata.ts';
import { dyingAttribute } from './entities/did.ts';
import { indexedKeys, type IndexState, getCachedIndexState } from './entities/index-state.ts';
import { entryKey, entryOf, placesOf, type Terms, termsOf } from './entities/metadata-index.ts';
import { type Item, type Patch, stagedBatches, stagedPrefix } from './items/item.ts';
import { type Change, Collision, type Insert, keyOf, LostRace, type Plan, type Write } from './items/plan.ts';
import { isDidItem } from './keys/did-keys.ts';
import { textOfKey } from './keys/key-parts.ts';

/*
 * Every plan passes here on its way to the table: what it does to the metadata of DIDs, it does to the metadata index in
 * the same commit. So nobody who writes a DID can forget the index.
 *
 * The item of a DID says where the DID stands in the index (`indexed`), and each change of that counts (`indexRev`). So a
 * plan knows from the DID alone which entries there are, and of two plans that meet one is made anew.
 */

/**
 * Adds to a plan what it means for the metadata index. Costs nothing where no metadata changes, and no read where the plan
 * has read the DIDs itself.
 *
 * @param latest What the plan was made on.
 * @param doubtful Something was in the way of the plan before: the entries themselves are looked at.
 * @throws Collision when a bulk request is about to change a DID's place in the index.
 */
export async function withMetadataIndex(latest: Table, plan: Plan, doubtful: boolean): Promise<Plan> {
  if (!plan.some(mayMatter)) return plan;
  const state = await getCachedIndexState(latest);
  if (state === undefined || state.keys.size === 0) return plan;
  const moves = await findMoves(latest, plan, state);
  if (moves.size === 0) return plan;
  const inDoubt = new Set([...moves.values()].filter((move) => doubtful || move.doubtful));
  const found = await findEntries(latest, [...inDoubt]);
  return [
    ...plan.map((write) => moves.get(write)?.write ?? write),
    ...[...moves.values()].flatMap((move) => entryWrites(move, inDoubt.has(move) ? found : undefined)),
  ];
}

/** What a write does to a DID's place in the index. */
interface Move {
  /** The write, which now says so on the DID. */
  readonly write: Write;
  /** The DID's item as the write leaves it. */
  readonly after: Item;
  readonly from: Terms;
  readonly to: Terms;
  /** What the entries said before. */
  readonly former: Readonly<Record<string, unknown>>;
  readonly doubtful: boolean;
}

function mayMatter(write: Write): boolean {
  if (!isDidItem(keyOf(write))) return false;
  if (write.kind === 'insert')
    return Object.keys(write.item).some((attribute) => metadataKeyOf(attribute) !== undefined);
  return write.reindex === true || isEnd(write.patch) || metadataKeys(write.patch).length > 0;
}

/** Whether nobody sees the DID after the change. */
const isEnd = (patch: Patch) => patch.delete === true || patch.set?.[dyingAttribute] === true;

function metadataKeys({ set = {}, remove = [] }: Patch): string[] {
  return [...Object.keys(set), ...remove].flatMap((attribute) => metadataKeyOf(attribute) ?? []);
}

async function findMoves(latest: Table, plan: Plan, state: IndexState): Promise<Map<Write, Move>> {
  const indexed = indexedKeys(state);
  const moves = new Map<Write, Move>();
  const changes: Change[] = [];
  for (const write of plan.filter(mayMatter)) {
    if (write.kind === 'insert') {
      const move = moveOfInsert(write, indexed);
      if (move.to.size > 0) moves.set(write, move);
    } else if (
      write.reindex === true ||
      isEnd(write.patch) ||
      metadataKeys(write.patch).some((key) => state.keys.has(key))
    ) {
      changes.push(write);
    }
  }
  const unread = changes.map(keyOf).filter((key) => latest.noted(key) === undefined);
  if (unread.length > 0) await latest.getMany(unread);
  for (const change of changes) {
    const before = latest.noted(keyOf(change));
    if (before === undefined) throw change.onMismatch(undefined);
    moves.set(change, moveOfChange(change, before, indexed));
  }
  return moves;
}

function moveOfInsert(write: Insert, indexed: readonly string[]): Move {
  const to = termsOf(write.item, indexed);
  const item = { ...write.item, indexed: Object.fromEntries(to) };
  return { write: { ...write, item }, after: item, from: new Map(), to, former: {}, doubtful: false };
}

function moveOfChange(write: Change, before: Item, indexed: readonly string[]): Move {
  requireNoOtherMove(before);
  const { patch } = write;
  const after = applyPatch(before, patch);
  const to = isEnd(patch) ? new Map<string, string>() : termsOf(after, indexed);
  const from = placesOf(before);
  const place = to.size === 0 ? { remove: [...(patch.remove ?? []), 'indexed'] } : {};
  const set = to.size === 0 ? patch.set : { ...patch.set, indexed: Object.fromEntries(to) };
  const counted = { ...patch, ...(set === undefined ? {} : { set }), ...place, add: { ...patch.add, indexRev: 1 } };
  return {
    write: {
      ...write,
      patch: patch.delete === true ? patch : counted,
      when: { ...write.when, indexRev: before['indexRev'] },
      onMismatch: (existing) =>
        existing !== undefined && existing['indexRev'] !== before['indexRev']
          ? new LostRace('the place of a DID in the metadata index was changed meanwhile')
          : write.onMismatch(existing),
    },
    after,
    from,
    to,
    former: entryOf(before, from),
    doubtful: write.reindex === true,
  };
}

/** A bulk request that has a change of the place under way must be through before another one is decided on. */
function requireNoOtherMove(item: Item): void {
  for (const batch of stagedBatches(item)) {
    const staged = item[stagedPrefix + batch] as Patch | undefined;
    if (staged === undefined || staged.add?.['indexRev'] !== undefined) throw new Collision(batch, item);
  }
}

/** The entries that there are of DIDs whose entries are in doubt, by their keys. */
async function findEntries(latest: Table, moves: readonly Move[]): Promise<ReadonlyMap<string, Item>> {
  const wanted = moves.flatMap(({ after, from, to }) =>
    [...from, ...to].map(([key, term]) => entryKey(after, key, term)),
  );
  const items = wanted.length === 0 ? [] : await latest.getMany(wanted);
  return new Map(items.map((item) => [textOfKey(item), item]));
}

/** The writes that bring the entries of a DID from where they are to where they are to be. */
function entryWrites({ after, from, to, former }: Move, found: ReadonlyMap<string, Item> | undefined): Write[] {
  const says = entryOf(after, to);
  const places = new Map([...from, ...to].map(([key, term]) => [`${key} ${term}`, { key, term }]));
  return [...places.values()].flatMap(({ key, term }): Write[] => {
    const entry = entryKey(after, key, term);
    const known = from.get(key) === term ? former : undefined;
    const present = found === undefined ? known : found.get(textOfKey(entry));
    const raced = () => new LostRace(`the entry ${textOfKey(entry)} of the metadata index is not as its DID says`);
    if (to.get(key) !== term) {
      return present === undefined ? [] : [{ kind: 'change', key: entry, patch: { delete: true }, onMismatch: raced }];
    }
    if (present === undefined) return [{ kind: 'insert', item: { ...entry, ...says }, onExists: raced }];
    const patch = difference(present, says);
    return patch === undefined ? [] : [{ kind: 'change', key: entry, patch, onMismatch: raced }];
  });
}

/** The patch that lets an entry say what it shall; undefined when it does. */
function difference(present: Readonly<Record<string, unknown>>, says: Readonly<Record<string, unknown>>) {
  const set = Object.entries(says).filter(([attribute, value]) => !isDeepStrictEqual(present[attribute], value));
  const remove = Object.keys(present).filter((attribute) => isOfEntry(attribute) && !Object.hasOwn(says, attribute));
  if (set.length + remove.length === 0) return undefined;
  return { set: Object.fromEntries(set), remove };
}

const isOfEntry = (attribute: string) => metadataKeyOf(attribute) !== undefined || attribute === 'partial';
