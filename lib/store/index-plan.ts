import { isDeepStrictEqual } from 'node:util';

import { forEachLimited } from '../parallel.ts';
import type { Table } from './batches/table.ts';
import { applyPatch } from './batches/view.ts';
import { hiddenAttribute } from './entities/did-item.ts';
import { freeIndexAttribute, freeKeyOf, metadataKeyOf } from './entities/did-metadata.ts';
import { findFreeKeys, mayBeIndexed, planFreeKeys } from './entities/free-keys.ts';
import {
  changesFreeMetadata,
  freeEntriesOf,
  freeIndexNotes,
  freeKeysOf,
  hasFreeTerm,
  isFreeIndexed,
  keysWithEntries,
  lockAllKeys,
  lockKeys,
} from './entities/free-metadata.ts';
import {
  type FreeIndex,
  getCachedIndexState,
  indexedKeys,
  type IndexState,
  maintainedFree,
} from './entities/index-state.ts';
import { entriesOf, indexedTermsOf, type KeyedEntry, termsOf } from './entities/metadata-index.ts';
import { writeEntries } from './index-entries.ts';
import { indexNewDid } from './index-insert.ts';
import { type Item, type Patch, stagedBatches, stagedPrefix } from './items/item.ts';
import {
  type Change,
  Collision,
  type Insert,
  keyOf,
  LostRace,
  type Plan,
  type StagedWrite,
  type Write,
} from './items/plan.ts';
import { didOf, isDidItem } from './keys/did-keys.ts';

/*
 * Every plan passes through here before it is written. Its changes of the metadata of DIDs change the metadata index in the
 * same commit, so no writer of DIDs has to care for the index.
 *
 * Which entries there are is known from the item of the DID alone: the terms of its entries by configured keys (`indexed`)
 * and a revision of them (`indexRev`, an optimistic lock); the notes of free-metadata.ts, of which the values themselves are
 * the lock. So of two conflicting plans one is retried.
 */

/** Input of {@link withMetadataIndex} beside the plan. */
export interface IndexOptions {
  /** The plan conflicted before: the entries themselves are read. */
  readonly isRetry: boolean;
  /** Commits a plan of the index itself at once. */
  readonly commit: (plan: (latest: Table) => Promise<Plan>) => Promise<void>;
}

/**
 * Adds the changes of the metadata index to a plan. Costs nothing if no metadata changes, and no read if the plan has read
 * the DIDs itself. A free key that is new in its scope is added to the scope's indexed keys first.
 *
 * @param latest The table that the plan has read.
 * @throws Collision when a batch is about to change the index entries of a DID.
 */
export async function withMetadataIndex(latest: Table, plan: Plan, options: IndexOptions): Promise<Plan> {
  if (!plan.some(mayMove)) return plan;
  const state = await getCachedIndexState(latest);
  if (state === undefined || state.keys.size === 0) return plan;
  const subjects = await findSubjects(latest, plan, state);
  if (subjects.length === 0) return plan;
  const indexed = await findIndexedKeys(latest, subjects, state, options.commit);
  const moves = new Map<Write, Move>();
  for (const subject of subjects) moves.set(subject.write, makeMove(subject, state, indexed(subject)));
  const entries = await writeEntries(latest, [...moves.values()], options.isRetry);
  return [...plan.map((write) => moves.get(write)?.write ?? write), ...entries];
}

/** The change of a DID's index entries by one write. */
interface Move {
  /** The write, with the notes on the DID. */
  readonly write: StagedWrite;
  readonly from: readonly KeyedEntry[];
  readonly to: readonly KeyedEntry[];
  /** The entries may differ from the DID. */
  readonly isDoubtful: boolean;
}

/** A write of a DID that may change its entries. */
interface Subject {
  readonly write: StagedWrite;
  /** Absent: the DID is new. */
  readonly before?: Item;
  readonly after: Item;
  /** The write may change the entries by configured keys. */
  readonly isConfigured: boolean;
  /** The free keys whose entries it may change. */
  readonly freeKeys: readonly string[];
}

function mayMove(write: Write): write is StagedWrite {
  if (write.kind === 'absence' || !isDidItem(keyOf(write))) return false;
  if (write.kind === 'insert')
    return Object.keys(write.item).some((attribute) => metadataKeyOf(attribute) !== undefined);
  return write.reindex === true || isEnd(write.patch) || metadataKeys(write.patch).length > 0;
}

/** Whether the change deletes or hides the DID. */
const isEnd = (patch: Patch) => patch.delete === true || patch.set?.[hiddenAttribute] === true;

function metadataKeys({ set = {}, remove = [] }: Patch): string[] {
  return [...Object.keys(set), ...remove].flatMap((attribute) => metadataKeyOf(attribute) ?? []);
}

const changesAll = ({ reindex, patch }: Change) => reindex === true || isEnd(patch);

async function findSubjects(latest: Table, plan: Plan, state: IndexState): Promise<Subject[]> {
  const isConfigured = (change: Change) =>
    changesAll(change) || metadataKeys(change.patch).some((key) => state.keys.has(key));
  const isFree = ({ patch }: Change) => state.free !== undefined && changesFreeMetadata(patch);
  const inserts: Subject[] = [];
  const changes: Change[] = [];
  for (const write of plan.filter(mayMove)) {
    if (write.kind === 'change') {
      if (isConfigured(write) || isFree(write)) changes.push(write);
    } else {
      const freeKeys = maintainedFree(state) === undefined ? [] : freeKeysOf(write.item);
      inserts.push({ write, after: write.item, isConfigured: true, freeKeys });
    }
  }
  const unread = changes.map(keyOf).filter((key) => latest.cached(key) === undefined);
  if (unread.length > 0) await latest.getMany(unread);
  return [
    ...inserts,
    ...changes.map((write): Subject => {
      const before = latest.cached(keyOf(write));
      if (before === undefined) throw write.onMismatch(undefined);
      requireNoStagedMove(before);
      const after = applyPatch(before, write.patch);
      const freeKeys = state.free === undefined ? [] : findMovedKeys(write, before, after, state);
      return { write, before, after, isConfigured: isConfigured(write), freeKeys };
    }),
  ];
}

/** The free keys of a DID whose entries a change concerns. */
function findMovedKeys({ patch, reindex }: Change, before: Item, after: Item, state: IndexState): string[] {
  const isNoted = isFreeIndexed(before);
  if (!isNoted && (isEnd(patch) || maintainedFree(state) === undefined)) return [];
  const named = Object.keys({ ...patch.set, ...Object.fromEntries((patch.remove ?? []).map((name) => [name, true])) });
  const changed = named.flatMap((attribute) => freeKeyOf(attribute) ?? []);
  // The note stands for all keys of the DID.
  const areAll = reindex === true || isEnd(patch) || (!isNoted && changed.length > 0);
  return areAll ? [...new Set([...freeKeysOf(before), ...freeKeysOf(after)])] : changed;
}

/** Throws Collision while a batch has a staged change of the index entries. */
function requireNoStagedMove(item: Item): void {
  for (const batch of stagedBatches(item)) {
    const staged = item[stagedPrefix + batch] as Patch | undefined;
    if (staged === undefined || staged.add?.['indexRev'] !== undefined || changesFreeMetadata(staged))
      throw new Collision(batch, item);
  }
}

/** The most scopes whose keys are looked up in parallel. */
const maxParallelScopes = 16;

/** Finds, and adds if there is room, the indexed keys of the scopes; returns which free keys of a DID have entries. */
async function findIndexedKeys(
  latest: Table,
  subjects: readonly Subject[],
  state: IndexState,
  commit: IndexOptions['commit'],
): Promise<(subject: Subject) => string[]> {
  const free = maintainedFree(state);
  if (free === undefined) return () => [];
  const wanted = new Map<string, Set<string>>();
  for (const { after, freeKeys, write } of subjects) {
    if (write.kind === 'change' && isEnd(write.patch)) continue;
    for (const key of freeKeys) {
      if (!mayBeIndexed(key, free) || !hasFreeTerm(after, key)) continue;
      const { scope } = didOf(after);
      wanted.set(scope, (wanted.get(scope) ?? new Set()).add(key));
    }
  }
  const found = new Map<string, ReadonlySet<string>>();
  await forEachLimited([...wanted], maxParallelScopes, async ([scope, keys]) => {
    found.set(scope, await registerKeys(latest, scope, free, [...keys], commit));
  });
  return ({ after, freeKeys }) => freeKeys.filter((key) => found.get(didOf(after).scope)?.has(key) === true);
}

async function registerKeys(
  latest: Table,
  scope: string,
  free: FreeIndex,
  wanted: readonly string[],
  commit: IndexOptions['commit'],
): Promise<ReadonlySet<string>> {
  const found = await findFreeKeys(latest, scope, free, wanted);
  if (found.isFull || wanted.every((key) => found.keys.has(key))) return found.keys;
  await commit((table) => planFreeKeys(table, scope, free, wanted));
  return (await findFreeKeys(latest, scope, free, wanted)).keys;
}

function makeMove(subject: Subject, state: IndexState, indexed: readonly string[]): Move {
  const { write } = subject;
  return write.kind === 'insert'
    ? moveOfInsert(write, subject, state, indexed)
    : moveOfChange(write, subject, state, indexed);
}

function moveOfInsert(write: Insert, { freeKeys }: Subject, state: IndexState, indexed: readonly string[]): Move {
  const { item, entries } = indexNewDid(write.item, state, { freeKeys, indexed });
  return { write: { ...write, item }, from: [], to: entries, isDoubtful: false };
}

function moveOfChange(write: Change, subject: Subject, state: IndexState, indexed: readonly string[]): Move {
  const { before, after, isConfigured, freeKeys } = subject;
  if (before === undefined) throw write.onMismatch(undefined);
  const { patch } = write;
  const isLast = isEnd(patch);
  const from = indexedTermsOf(before);
  const to = isLast ? new Map<string, string>() : termsOf(after, indexedKeys(state));
  const free = isLast ? { [freeIndexAttribute]: undefined } : freeIndexNotes(before, after, freeKeys, indexed);
  const notes = {
    ...(isConfigured ? { indexed: to.size === 0 ? undefined : Object.fromEntries(to) } : {}),
    ...(isLast && !isFreeIndexed(before) ? {} : free),
  };
  const lock = {
    ...(isConfigured ? { indexRev: before['indexRev'] } : {}),
    ...(isLast && state.free !== undefined ? lockAllKeys(before) : lockKeys(before, freeKeys)),
  };
  return {
    write: {
      ...write,
      patch: patch.delete === true ? patch : withNotes(patch, notes, isConfigured),
      when: { ...write.when, ...lock },
      onMismatch: (existing) =>
        existing !== undefined && !holds(existing, lock)
          ? new LostRace('the index entries of a DID changed')
          : write.onMismatch(existing),
    },
    from: [
      ...(isConfigured ? entriesOf(before, from) : []),
      ...freeEntriesOf(before, keysWithEntries(before, freeKeys)),
    ],
    to: [...(isConfigured ? entriesOf(after, to) : []), ...(isLast ? [] : freeEntriesOf(after, indexed))],
    isDoubtful: write.reindex === true,
  };
}

/** A patch that also sets or removes notes; `counts`: it changes the entries by configured keys. */
function withNotes(patch: Patch, notes: Readonly<Record<string, unknown>>, counts: boolean): Patch {
  const set = Object.entries(notes).filter(([, value]) => value !== undefined);
  const remove = Object.entries(notes).filter(([, value]) => value === undefined);
  return {
    ...patch,
    ...(patch.set === undefined && set.length === 0 ? {} : { set: { ...patch.set, ...Object.fromEntries(set) } }),
    ...(remove.length === 0 ? {} : { remove: [...(patch.remove ?? []), ...remove.map(([attribute]) => attribute)] }),
    ...(counts ? { add: { ...patch.add, indexRev: 1 } } : {}),
  };
}

function holds(existing: Item, lock: NonNullable<Change['when']>): boolean {
  return Object.entries(lock).every(([attribute, value]) => isDeepStrictEqual(existing[attribute], value));
}
