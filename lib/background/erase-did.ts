import { clock } from '../clock.ts';
import type { DidKey } from '../contract/schemas/did.ts';
import { planDetachment } from '../domain/dids/plan-detachment.ts';
import { planOpendataRemoval } from '../domain/opendata/find-opendata.ts';
import { removeRuleNow } from '../domain/rules/life-cycle/remove-rule.ts';
import { formatDid } from '../domain/values/format-did.ts';
import { log } from '../log.ts';
import type { Table } from '../store/batches/table.ts';
import { findDidAtFault } from '../store/did-at-fault.ts';
import { deleteDatasetLock, getDatasetLocks } from '../store/entities/dataset-lock.ts';
import { getDeletedDids, keepDeletedDid } from '../store/entities/deleted-did.ts';
import { requireSettled } from '../store/entities/did-conditions.ts';
import { type Did, eraseDid, getDid, getDids, getHiddenDid, hideDid } from '../store/entities/did.ts';
import { deleteEdge, type Edge, getEdges, listChildren, listParentEdges } from '../store/entities/edge.ts';
import { deleteFollower, listFollowers } from '../store/entities/follower.ts';
import { insertFormerChild } from '../store/entities/former-child.ts';
import { isContentEdge } from '../store/entities/parents.ts';
import { listRuleIds } from '../store/entities/rule.ts';
import { LostRace, type Plan, type Write } from '../store/items/plan.ts';
import type { Store } from '../store/open-store.ts';

/*
 * How a DID is deleted (spec/dids.md 4.5). Each step is idempotent:
 *
 * 1. hideExpiredDid: one plan hides the DID, detaches it from its parents, removes it from the open data and keeps a copy
 *    for resurrection. Its name stays taken, so that its old content cannot become that of a new DID.
 * 2. eraseHiddenDid: deletes its rules with their locks, which are found through its content; then its content and its
 *    followers; then its item. The collections of a container are noted: rules above it release their locks later, and
 *    find them by these notes.
 * 3. detachDeletedDid, minutes later: deletes edges of a concurrent request that had read the DID before step 1 and
 *    attached it afterwards.
 */

/** The most parents from which a DID is detached in one step. */
const maxParents = 100;

/** The most deletions in parallel. */
const maxParallelDeletes = 16;

/**
 * Step 1.
 *
 * @param isStillDue Whether the DID, in its present state, is still to be deleted.
 * @returns Whether it was hidden; false: it is not to be deleted any more, or is gone.
 */
export async function hideExpiredDid(store: Store, key: DidKey, now: number, isStillDue: (did: Did) => boolean) {
  // Step 3 takes the DIDs that cannot be detached from a parent of another owner.
  return leavingOut(key, (leftOut) => hide(store, key, { now, isStillDue, leftOut }));
}

/**
 * Runs a step of a deletion. If the item of a parent makes it fail, because it is full or others write to it all the time, the step
 * is repeated without this parent. So nobody can prevent the deletion of another account's DID by attaching it to a collection.
 */
async function leavingOut<T>(key: DidKey, step: (leftOut: ReadonlySet<string>) => Promise<T>): Promise<T> {
  const leftOut = new Set<string>();
  for (;;) {
    try {
      return await step(leftOut);
    } catch (error) {
      const atFault = findDidAtFault(error);
      if (atFault === undefined || formatDid(atFault) === formatDid(key) || leftOut.size >= maxParents) throw error;
      log.error('a DID cannot be detached from a parent for now', {
        did: formatDid(key),
        parent: formatDid(atFault),
        error: error as Error,
      });
      leftOut.add(formatDid(atFault));
    }
  }
}

interface Hiding {
  readonly now: number;
  readonly isStillDue: (did: Did) => boolean;
  /** The names of parents from which the DID is not detached. */
  readonly leftOut: ReadonlySet<string>;
}

async function hide(store: Store, key: DidKey, { now, isStillDue, leftOut }: Hiding): Promise<boolean> {
  let hidden = false;
  await store.write(async (latest) => {
    const did = await getDid(latest, key);
    hidden = did !== undefined && isStillDue(did);
    if (did === undefined || !hidden) return [];
    const makeLostRace = () => new LostRace(`${formatDid(key)} or a parent of it was changed concurrently`);
    const [[former], opendata] = await Promise.all([getDeletedDids(latest, [key]), planOpendataRemoval(latest, [key])]);
    const edges = await readEdges(latest, key, maxParents);
    const parents = edges.filter(({ parent }) => !leftOut.has(formatDid(parent)));
    return [
      hideDid(did, requireSettled(did), makeLostRace),
      keepDeletedDid(did, now, former),
      ...opendata,
      ...(await detachFromAll(latest, parents, now, makeLostRace)),
    ];
  });
  return hidden;
}

/**
 * Step 2. Does nothing while a bulk request that began before step 1 is still under way on the DID; call it again
 * later.
 *
 * @param until The deadline, in milliseconds since 1970.
 * @returns Whether everything is deleted.
 */
export async function eraseHiddenDid(store: Store, key: DidKey, now: number, until: number): Promise<boolean> {
  const did = await getHiddenDid(store.begin().table.latest(), key);
  if (did === undefined) return true;
  if (did.unsettled.length > 0) return false;
  // The DID was found settled, so this shows everything that was ever attached to it.
  const table = store.begin().table.latest();
  const complete =
    (await detachDeletedDid(store, key, now, until)) &&
    (await removeRules(store, did, now, until)) &&
    (await removeAll(store, listChildren(table, key), (edge) => planErasure(edge, now), until)) &&
    (await removeAll(store, listFollowers(table, key), (user) => [deleteFollower(key, user, missing)], until));
  if (complete) {
    await store.write(async (latest) => {
      const rest = await getHiddenDid(latest, key);
      if (rest === undefined) return [];
      const erase = eraseDid(rest, () => new LostRace(`${formatDid(key)} was changed concurrently`));
      // Dataset locks of rules above: a new DID may have this name when the locks of the files are released.
      const locks = await getDatasetLocks(latest, key);
      // An entry that was added while step 1 was under way.
      return [erase, ...locks.map(deleteDatasetLock), ...(await planOpendataRemoval(latest, [key]))];
    });
  }
  return complete;
}

/**
 * Step 3: detaches a deleted DID from its remaining parents. If there is a new DID of the same name, its own
 * attachments are newer than the DID and stay.
 *
 * @param until The deadline, in milliseconds since 1970.
 * @returns Whether no parent is left.
 */
export async function detachDeletedDid(store: Store, key: DidKey, now: number, until: number): Promise<boolean> {
  return leavingOut(key, async (leftOut) => {
    const isOver = await detachRest(store, key, { now, until, leftOut });
    return isOver && leftOut.size === 0;
  });
}

interface Detaching {
  readonly now: number;
  readonly until: number;
  /** The names of parents from which the DID is not detached. */
  readonly leftOut: ReadonlySet<string>;
}

async function detachRest(store: Store, key: DidKey, { now, until, leftOut }: Detaching): Promise<boolean> {
  for (;;) {
    let found = 0;
    await store.write(async (latest) => {
      const bornAt = (await getDid(latest, key))?.createdAt ?? Number.POSITIVE_INFINITY;
      const left = (await readEdges(latest, key, maxParents)).filter(
        ({ createdAt, parent }) => createdAt < bornAt && !leftOut.has(formatDid(parent)),
      );
      const writes = await detachFromAll(
        latest,
        left,
        now,
        () => new LostRace(`a parent of ${formatDid(key)} changed`),
      );
      found = writes.length;
      return writes;
    });
    if (found === 0) return true;
    if (clock.now() > until) return false;
  }
}

/** Finds edges by the index, which may lag, and reads those that still exist from the table. */
async function readEdges(latest: Table, child: DidKey, limit: number): Promise<Edge[]> {
  const edges: Edge[] = [];
  for await (const edge of listParentEdges(latest, child)) {
    edges.push(edge);
    if (edges.length === limit) break;
  }
  return getEdges(latest, edges);
}

/** A parent that is being deleted itself is skipped: its deletion removes the edge. */
async function detachFromAll(latest: Table, edges: readonly Edge[], now: number, makeLostRace: () => Error) {
  const alive = new Set(
    (
      await getDids(
        latest,
        edges.map(({ parent }) => parent),
      )
    ).map(formatDid),
  );
  return edges
    .filter(({ parent }) => alive.has(formatDid(parent)))
    .flatMap((edge): Write[] =>
      // The constituents of an archive are not part of its size.
      isContentEdge(edge) ? planDetachment(edge.parent, [edge], now, makeLostRace) : [deleteEdge(edge, makeLostRace)],
    );
}

/**
 * Removes the rules of the DID. Replicas without other locks are deleted too, unless the DID has `purge_replicas`
 * false.
 */
async function removeRules(store: Store, did: Did, now: number, until: number): Promise<boolean> {
  const purgeReplicas = did.columns['purge_replicas'] !== false;
  for (const id of await listRuleIds(store.begin().table.latest(), did)) {
    if (!(await removeRuleNow(store, id, { now, until, purgeReplicas, endsWithDid: true }))) return false;
  }
  return true;
}

/** The item was deleted concurrently. */
class Missing extends Error {
  override readonly name = 'Missing';
}

const missing = () => new Missing();

/** Deletes a child of a deleted DID, and notes it if it is a collection. */
function planErasure(edge: Edge, now: number): Plan {
  const erase = deleteEdge(edge, missing);
  return edge.type === 'FILE' ? [erase] : [erase, insertFormerChild(edge, now)];
}

/** Deletes items one by one: most cost one unit, in a transaction they would cost two. */
async function removeAll<T>(store: Store, items: AsyncGenerator<T>, remove: (item: T) => Plan, until: number) {
  let chunk: Plan[] = [];
  for await (const item of items) {
    chunk.push(remove(item));
    if (chunk.length < maxParallelDeletes) continue;
    await removeChunk(store, chunk);
    if (clock.now() > until) return false;
    chunk = [];
  }
  await removeChunk(store, chunk);
  return true;
}

async function removeChunk(store: Store, chunk: readonly Plan[]): Promise<void> {
  await Promise.all(
    chunk.map(async (plan) => {
      try {
        await store.write(async () => plan);
      } catch (error) {
        if (!(error instanceof Missing)) throw error;
      }
    }),
  );
}
