import { isDeepStrictEqual } from 'node:util';

import type { Table } from './batches/table.ts';
import { applyPatch } from './batches/view.ts';
import { hiddenAttribute } from './entities/did-item.ts';
import { metadataKeyOf } from './entities/did-metadata.ts';
import { indexedKeys, type IndexState, getCachedIndexState } from './entities/index-state.ts';
import { entryKey, type Terms, termsOf, entryContentOf, indexedTermsOf } from './entities/metadata-index.ts';
import { type Item, type Patch, stagedBatches, stagedPrefix } from './items/item.ts';
import { type Change, Collision, type Insert, keyOf, LostRace, type Plan, type Write } from './items/plan.ts';
import { isDidItem } from './keys/did-keys.ts';
import { textOfKey } from './keys/key-parts.ts';

/*
 * Every plan passes through here before it is written. Its changes of the metadata of DIDs change the metadata index in the
 * same commit, so no writer of DIDs has to care for the index.
 *
 * The item of a DID holds the terms of its index entries (`indexed`) and a revision of them (`indexRev`, an optimistic lock).
 * So a plan knows the entries from the DID alone, and of two conflicting plans one is retried.
 */

/**
 * Adds the changes of the metadata index to a plan. Costs nothing if no metadata changes, and no read if the plan has read
 * the DIDs itself.
 *
 * @param latest The table that the plan has read.
 * @param isRetry The plan conflicted before: the entries themselves are read.
 * @throws Collision when a batch is about to change the index entries of a DID.
 */
export async function withMetadataIndex(latest: Table, plan: Plan, isRetry: boolean): Promise<Plan> {
  if (!plan.some(mayMove)) return plan;
  const state = await getCachedIndexState(latest);
  if (state === undefined || state.keys.size === 0) return plan;
  const moves = await findMoves(latest, plan, state);
  if (moves.size === 0) return plan;
  const inDoubt = new Set([...moves.values()].filter((move) => isRetry || move.isDoubtful));
  const found = await findEntries(latest, [...inDoubt]);
  return [
    ...plan.map((write) => moves.get(write)?.write ?? write),
    ...[...moves.values()].flatMap((move) => entryWrites(move, inDoubt.has(move) ? found : undefined)),
  ];
}

/** The change of a DID's index entries by one write. */
interface IndexMove {
  /** The write, with the new terms on the DID. */
  readonly write: Write;
  /** The DID's item as the write leaves it. */
  readonly after: Item;
  readonly from: Terms;
  readonly to: Terms;
  /** The content of the entries before. */
  readonly former: Readonly<Record<string, unknown>>;
  /** The entries may differ from what the DID says. */
  readonly isDoubtful: boolean;
}

function mayMove(write: Write): boolean {
  if (!isDidItem(keyOf(write))) return false;
  if (write.kind === 'insert')
    return Object.keys(write.item).some((attribute) => metadataKeyOf(attribute) !== undefined);
  return write.reindex === true || isEnd(write.patch) || metadataKeys(write.patch).length > 0;
}

/** Whether the change deletes or hides the DID. */
const isEnd = (patch: Patch) => patch.delete === true || patch.set?.[hiddenAttribute] === true;

function metadataKeys({ set = {}, remove = [] }: Patch): string[] {
  return [...Object.keys(set), ...remove].flatMap((attribute) => metadataKeyOf(attribute) ?? []);
}

async function findMoves(latest: Table, plan: Plan, state: IndexState): Promise<Map<Write, IndexMove>> {
  const indexed = indexedKeys(state);
  const moves = new Map<Write, IndexMove>();
  const changes: Change[] = [];
  for (const write of plan.filter(mayMove)) {
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
  const unread = changes.map(keyOf).filter((key) => latest.cached(key) === undefined);
  if (unread.length > 0) await latest.getMany(unread);
  for (const change of changes) {
    const before = latest.cached(keyOf(change));
    if (before === undefined) throw change.onMismatch(undefined);
    moves.set(change, moveOfChange(change, before, indexed));
  }
  return moves;
}

function moveOfInsert(write: Insert, indexed: readonly string[]): IndexMove {
  const to = termsOf(write.item, indexed);
  const item = { ...write.item, indexed: Object.fromEntries(to) };
  return { write: { ...write, item }, after: item, from: new Map(), to, former: {}, isDoubtful: false };
}

function moveOfChange(write: Change, before: Item, indexed: readonly string[]): IndexMove {
  requireNoStagedMove(before);
  const { patch } = write;
  const after = applyPatch(before, patch);
  const to = isEnd(patch) ? new Map<string, string>() : termsOf(after, indexed);
  const from = indexedTermsOf(before);
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
          ? new LostRace('the index entries of a DID were changed concurrently')
          : write.onMismatch(existing),
    },
    after,
    from,
    to,
    former: entryContentOf(before, from),
    isDoubtful: write.reindex === true,
  };
}

/** Throws Collision while a batch has a staged change of the index entries. */
function requireNoStagedMove(item: Item): void {
  for (const batch of stagedBatches(item)) {
    const staged = item[stagedPrefix + batch] as Patch | undefined;
    if (staged === undefined || staged.add?.['indexRev'] !== undefined) throw new Collision(batch, item);
  }
}

/** The existing entries of DIDs whose entries are in doubt, by key. */
async function findEntries(latest: Table, moves: readonly IndexMove[]): Promise<ReadonlyMap<string, Item>> {
  const wanted = moves.flatMap(({ after, from, to }) =>
    [...from, ...to].map(([key, term]) => entryKey(after, key, term)),
  );
  const items = wanted.length === 0 ? [] : await latest.getMany(wanted);
  return new Map(items.map((item) => [textOfKey(item), item]));
}

/** The writes that move the entries of a DID from the old terms to the new ones. */
function entryWrites({ after, from, to, former }: IndexMove, found: ReadonlyMap<string, Item> | undefined): Write[] {
  const content = entryContentOf(after, to);
  const places = new Map([...from, ...to].map(([key, term]) => [`${key} ${term}`, { key, term }]));
  return [...places.values()].flatMap(({ key, term }): Write[] => {
    const entry = entryKey(after, key, term);
    const known = from.get(key) === term ? former : undefined;
    const present = found === undefined ? known : found.get(textOfKey(entry));
    const raced = () => new LostRace(`the entry ${textOfKey(entry)} of the metadata index differs from its DID`);
    if (to.get(key) !== term) {
      return present === undefined ? [] : [{ kind: 'change', key: entry, patch: { delete: true }, onMismatch: raced }];
    }
    if (present === undefined) return [{ kind: 'insert', item: { ...entry, ...content }, onExists: raced }];
    const patch = makePatch(present, content);
    return patch === undefined ? [] : [{ kind: 'change', key: entry, patch, onMismatch: raced }];
  });
}

/** The patch that turns one content of an entry into another; undefined if they are equal. */
function makePatch(present: Readonly<Record<string, unknown>>, wanted: Readonly<Record<string, unknown>>) {
  const set = Object.entries(wanted).filter(([attribute, value]) => !isDeepStrictEqual(present[attribute], value));
  const remove = Object.keys(present).filter((attribute) => isOfEntry(attribute) && !Object.hasOwn(wanted, attribute));
  if (set.length + remove.length === 0) return undefined;
  return { set: Object.fromEntries(set), remove };
}

const isOfEntry = (attribute: string) => metadataKeyOf(attribute) !== undefined || attribute === 'partial';
