import type { DidKey } from '../contract/schemas/did.ts';
import { detachment } from '../domain/dids/detachment.ts';
import { removeRuleNow } from '../domain/rules/life-cycle/remove.ts';
import { formatDid } from '../domain/values/format-did.ts';
import type { Table } from '../store/batches/table.ts';
import { getDeletedDids, keepDeletedDid } from '../store/entities/deleted-did.ts';
import { settled } from '../store/entities/did-conditions.ts';
import { type Did, eraseDid, getDid, getDids, getHiddenDid, hideDid } from '../store/entities/did.ts';
import { deleteEdge, type Edge, getEdges, listChildren, listParents } from '../store/entities/edge.ts';
import { deleteFollower, listFollowers } from '../store/entities/follower.ts';
import { listRuleIds } from '../store/entities/rule.ts';
import { type Change, LostRace, type Write } from '../store/items/plan.ts';
import type { Store } from '../store/open-store.ts';

/*
 * How a DID is deleted (spec/dids.md 4.5), in steps that may each be repeated:
 *
 * 1. hide: at one instant the DID is out of everybody's sight, detached from its parents and kept for resurrection. Its
 *    name stays taken, so that its old content cannot become that of a new DID.
 * 2. clear away: its rules go with their locks, which are found through its content; then that and its followers go, as
 *    fast as they can; then its item.
 * 3. sweep, minutes later: a request that had read the DID before step 1 may have attached it after. Such an edge goes.
 */

/** Parents that a DID is detached from in one step. */
const mostParents = 100;

/** Deletions under way at once. */
const parallel = 16;

/**
 * Step 1.
 *
 * @param stillWanted Says of the DID as it is now whether it is to be deleted.
 * @returns False when it is not, or not there any more.
 */
export async function hide(store: Store, key: DidKey, now: number, stillWanted: (did: Did) => boolean) {
  let hidden = false;
  await store.write(async (latest) => {
    const did = await getDid(latest, key);
    hidden = did !== undefined && stillWanted(did);
    if (did === undefined || !hidden) return [];
    const raced = () => new LostRace(`${formatDid(key)} or a parent of it was changed meanwhile`);
    const [former] = await getDeletedDids(latest, [key]);
    const parents = await readEdges(latest, key, mostParents);
    return [
      hideDid(did, settled(did), raced),
      keepDeletedDid(did, now, former),
      ...(await detachFromAll(latest, parents, now, raced)),
    ];
  });
  return hidden;
}

/**
 * Step 2. Waits for no one: while a bulk request that began before step 1 is under way on the DID, nothing is done.
 *
 * @param until Time in milliseconds when to stop, wherever that is.
 * @returns Whether everything is gone.
 */
export async function clearAway(store: Store, key: DidKey, now: number, until: number): Promise<boolean> {
  const did = await getHiddenDid(store.begin().table, key);
  if (did === undefined) return true;
  if (did.unsettled.length > 0) return false;
  // Begun after the DID was seen settled, so that this view holds everything that was ever attached to it.
  const { table } = store.begin();
  const complete =
    (await sweep(store, key, now, until)) &&
    (await removeRules(store, did, now, until)) &&
    (await removeAll(store, listChildren(table, key), (edge) => deleteEdge(edge, missing), until)) &&
    (await removeAll(store, listFollowers(table, key), (user) => deleteFollower(key, user, missing), until));
  if (complete) {
    await store.write(async (latest) => {
      const rest = await getHiddenDid(latest, key);
      return rest === undefined ? [] : [eraseDid(rest, () => new LostRace(`${formatDid(key)} was changed meanwhile`))];
    });
  }
  return complete;
}

/**
 * Step 3: detaches a deleted DID from whatever still holds it. Where there is a new DID of the same name, its own
 * attachments are younger than itself and stay.
 *
 * @param until Time in milliseconds when to stop, wherever that is.
 * @returns Whether nothing is left.
 */
export async function sweep(store: Store, key: DidKey, now: number, until: number): Promise<boolean> {
  for (;;) {
    let found = 0;
    await store.write(async (latest) => {
      const bornAt = (await getDid(latest, key))?.createdAt ?? Number.POSITIVE_INFINITY;
      const left = (await readEdges(latest, key, mostParents)).filter(({ createdAt }) => createdAt < bornAt);
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
    if (Date.now() > until) return false;
  }
}

/** The index knows which edges there are, the table which of them there still are. */
async function readEdges(latest: Table, child: DidKey, limit: number): Promise<Edge[]> {
  const edges: Edge[] = [];
  for await (const edge of listParents(latest, child)) {
    edges.push(edge);
    if (edges.length === limit) break;
  }
  return getEdges(latest, edges);
}

/** A parent that is being deleted itself drops the edge with all its content. */
async function detachFromAll(latest: Table, edges: readonly Edge[], now: number, raced: () => Error) {
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
    .flatMap((edge): Write[] => detachment(edge.parent, [edge], now, raced));
}

/** Rules go with their DID, and so do the replicas that nothing else keeps, unless the DID says otherwise. */
async function removeRules(store: Store, did: Did, now: number, until: number): Promise<boolean> {
  const purgeReplicas = did.columns['purge_replicas'] !== false;
  for (const id of await listRuleIds(store.begin().table, did)) {
    if (!(await removeRuleNow(store, id, { now, until, purgeReplicas }))) return false;
  }
  return true;
}

/** What is to be deleted has been deleted by somebody else. */
class Missing extends Error {
  override readonly name = 'Missing';
}

const missing = () => new Missing();

/** Deletes things one by one: a unit each, where a transaction of them would cost two. */
async function removeAll<T>(store: Store, things: AsyncGenerator<T>, remove: (thing: T) => Change, until: number) {
  let chunk: Change[] = [];
  for await (const thing of things) {
    chunk.push(remove(thing));
    if (chunk.length < parallel) continue;
    await removeChunk(store, chunk);
    if (Date.now() > until) return false;
    chunk = [];
  }
  await removeChunk(store, chunk);
  return true;
}

async function removeChunk(store: Store, chunk: readonly Change[]): Promise<void> {
  await Promise.all(
    chunk.map(async (change) => {
      try {
        await store.write(async () => [change]);
      } catch (error) {
        if (!(error instanceof Missing)) throw error;
      }
    }),
  );
}
