import { chunksOf } from '../../../chunks.ts';
import type { DidKey } from '../../../contract/schemas/did.ts';
import { latestEffectMs } from '../../../store/batches/commit.ts';
import type { Table } from '../../../store/batches/table.ts';
import { type Did, type FileDid, getFiles } from '../../../store/entities/did.ts';
import { listChildren, listHistory, type PastEdge } from '../../../store/entities/edge.ts';
import type { Rule } from '../../../store/entities/rule.ts';
import { insertWork } from '../../../store/entities/work.ts';
import type { Insert, Plan, Write } from '../../../store/items/plan.ts';
import { ContentParents } from '../../did-graph/content-parents.ts';
import { ContentWalk, getStartPosition, readContentPosition } from '../../did-graph/content-walk.ts';
import { DescendantTest } from '../../did-graph/descendant-test.ts';
import { findLock, releaseLock } from '../../locks/release-lock.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import { formatDid } from '../../values/format-did.ts';
import { type TaskStep, maxItemsPerStep } from '../../values/worker.ts';
import { planLocks } from './lock-attached.ts';
import { recheckLater } from './recheck-later.ts';

/** Files whose ancestors are read together. */
const filesPerTest = 30;

/** The most datasets handled in one step. */
const datasetsPerStep = 100;

/** The time in which content changed while a rule was being placed on it. */
interface Interval {
  /** When the placement began to read, in milliseconds since 1970. */
  readonly since: number;
  readonly now: number;
}

/** The task that checks the attachments and detachments below a collection of a rule since a placement began. */
export function checkRecentLater({ id }: Rule, { scope, name }: DidKey, { since, now }: Interval): Insert {
  return insertWork({ kind: 'spread', ruleId: id, under: { scope, name }, since }, now);
}

interface Recent extends Interval {
  readonly rule: Rule;
  readonly root: Did;
  readonly position: unknown;
}

/**
 * Brings the locks of a rule in line with recent attachments and detachments below a collection: the content changed
 * while the rule was being placed. Costs a read of the edge of each file, and of each file that is new.
 */
export async function* reconcileRecent(
  table: Table,
  { rule, root, position, since, now }: Recent,
): AsyncGenerator<TaskStep> {
  // A change is dated before it takes effect.
  const from = since - latestEffectMs;
  const notes: Write[] = [];
  const enters = async (container: DidKey) => {
    for (const { child, type } of await listDetached(table, container, from)) {
      if (type !== 'FILE') notes.push(insertWork({ kind: 'unlock', ruleId: rule.id, under: child }, now));
    }
    return true;
  };
  const walk = new ContentWalk(table, readContentPosition(position) ?? getStartPosition(root), { enters });
  for (let datasets = 0; ; datasets += 1) {
    const dataset = await walk.next();
    const after = walk.place?.after;
    if (walk.isOver) return yield { writes: notes };
    if (dataset === undefined || datasets === datasetsPerStep) {
      return yield { writes: [...notes, ...walk.flush()], position: walk.position() };
    }
    const releases = after === undefined ? await planReleases(table, { rule, dataset, from, now }) : [];
    if (releases.length > 0) return yield { writes: [...notes, ...releases], position: walk.position() };
    const { files, last } = await listAttached(table, { dataset, after, from, limit: maxItemsPerStep / rule.copies });
    if (last === undefined) walk.leave();
    else walk.moveTo({ did: dataset, after: last });
    const locks = files.length === 0 ? [] : await planLocks(table, rule, { parent: dataset, files }, now);
    if (locks.length === 0) continue;
    return yield { writes: [...notes, ...locks, ...walk.flush()], position: walk.position() };
  }
}

async function listDetached(table: Table, parent: DidKey, from: number): Promise<PastEdge[]> {
  return Array.fromAsync(listHistory(table, parent, { after: { deletedAt: Math.max(from, 0), child: parent } }));
}

interface Dataset {
  readonly dataset: DidKey;
  readonly from: number;
}

/** The files that were attached recently, and the last child that was read; undefined: all were. */
async function listAttached(
  table: Table,
  { dataset, after, from, limit }: Dataset & { readonly after: DidKey | undefined; readonly limit: number },
): Promise<{ readonly files: DidKey[]; readonly last: DidKey | undefined }> {
  const files: DidKey[] = [];
  for await (const { child, createdAt } of listChildren(table, dataset, { after })) {
    if (createdAt >= from) files.push(child);
    if (files.length >= limit) return { files, last: child };
  }
  return { files, last: undefined };
}

/** The writes that release the locks of a rule on files that were detached recently; empty: none are left. */
async function planReleases(
  table: Table,
  { rule, dataset, from, now }: Dataset & { readonly rule: Rule; readonly now: number },
): Promise<Plan> {
  const past = await listDetached(table, dataset, from);
  const files = await getFiles(
    table,
    past.map(({ child }) => child),
  );
  const rseIdsOf = ({ replicas }: FileDid) =>
    [...replicas].filter(([, replica]) => findLock(replica, rule.id) !== undefined).map(([rseId]) => rseId);
  const locked = files.filter((file) => rseIdsOf(file).length > 0);
  const test = new DescendantTest(rule.did, new ContentParents(table));
  const changes = new ReplicaChanges(now);
  const released: DidKey[] = [];
  for (const some of chunksOf(locked, filesPerTest)) {
    const below = await test.findBelow(some);
    for (const file of some) {
      if (below.has(formatDid(file)) || changes.touched >= maxItemsPerStep) continue;
      for (const rseId of rseIdsOf(file)) releaseLock(changes, { file, rseId, ruleId: rule.id, rule, now });
      released.push(file);
    }
    if (changes.touched >= maxItemsPerStep) break;
  }
  return [...changes.writes(new Set([rule.id])), ...recheckLater(rule.id, released, now)];
}
