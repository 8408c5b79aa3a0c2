import type { DidKey } from '../../../contract/schemas/did.ts';
import type { Table } from '../../../store/batches/table.ts';
import { deleteDatasetLock, getDatasetLocks } from '../../../store/entities/dataset-lock.ts';
import { type FileDid, getDid, getFiles } from '../../../store/entities/did.ts';
import { getRule } from '../../../store/entities/rule.ts';
import type { Write } from '../../../store/items/plan.ts';
import { ContentParents } from '../../did-graph/content-parents.ts';
import {
  type Child,
  type ContentPosition,
  ContentWalk,
  detachWindowMs,
  getStartPosition,
  isFormer,
  readChildren,
  readContainer,
  readContentPosition,
} from '../../did-graph/content-walk.ts';
import { DescendantTest } from '../../did-graph/descendant-test.ts';
import { findLock, releaseLock } from '../../locks/release-lock.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import { formatDid } from '../../values/format-did.ts';
import { type TaskStep, maxItemsPerStep, type Worker } from '../../values/worker.ts';
import { recheckLater } from './recheck-later.ts';

/** Children read at a time. */
const childrenPerRead = 300;

/** The most datasets without locks that one step may skip. */
const datasetsPerStep = 30;

/** Items that one file usually changes: its own and transfers to two RSEs. */
const itemsPerFile = 3;

/**
 * Releases the locks of a rule on present and recent content of a collection that is not below the rule's DID any more
 * (spec/replication.md 3.6), or of a rule that has ended. Recent content was detached in the last day: the reaction to its
 * own detachment may have found no path to the rule. Visits each collection once. Former content is visited even if the
 * collection is below the DID again.
 */
export const unlock: Worker = async function* ({ now }, latest, { task, position, due }): AsyncGenerator<TaskStep> {
  const table = latest.latest();
  if (task.kind !== 'unlock') return yield { writes: [] };
  const rule = await getRule(table, task.ruleId);
  // If the rule is gone or being removed, none of its locks is justified.
  const hasEnded = rule === undefined || rule.removing === true;
  const below = hasEnded ? undefined : new DescendantTest(rule.did, new ContentParents(table));
  const isOutside = async (did: DidKey) => (await below?.isAtOrBelow(did)) !== true;
  const since = due - detachWindowMs;
  const start = readContentPosition(position) ?? (await findStart(table, task.under, since));
  // A present dataset of a container below the DID is below it, too.
  const visits = async (child: Child) =>
    child.type !== 'DATASET' || isFormer(child) || (await isOutside(child.place.did));
  const walk = new ContentWalk(table, start, { since, visits });
  const counted = new Set(rule === undefined ? [] : [task.ruleId]);
  for (let datasets = 0; ; datasets += 1) {
    const dataset = await walk.next();
    const { place } = walk;
    if (walk.isOver) return yield { writes: [] };
    if (dataset === undefined || place === undefined || datasets === datasetsPerStep) {
      return yield { writes: walk.flush(), position: walk.position() };
    }
    if (!(await isOutside(dataset))) {
      walk.leave();
      continue;
    }
    const children = await readChildren(table, place, childrenPerRead, since);
    const files = await findUnjustifiedFiles(table, { ruleId: task.ruleId, below, children });
    let changes = new ReplicaChanges(now);
    let released: DidKey[] = [];
    const planWrites = () => [...changes.writes(counted), ...(hasEnded ? [] : recheckLater(rule.id, released, now))];
    for (const { child, place: nextPlace } of children) {
      walk.moveTo(nextPlace);
      const file = files.get(formatDid(child));
      // A child that was attached and detached repeatedly appears repeatedly.
      files.delete(formatDid(child));
      if (file !== undefined) {
        for (const rseId of file.replicas.keys()) {
          releaseLock(changes, { file, rseId, ruleId: task.ruleId, rule, now });
        }
        released.push(child);
      }
      if (changes.touched < maxItemsPerStep - itemsPerFile) continue;
      yield { writes: [...planWrites(), ...walk.flush()], position: walk.position() };
      changes = new ReplicaChanges(now);
      released = [];
    }
    const writes = planWrites();
    if (children.length < childrenPerRead) {
      writes.push(...(await planDatasetUnlock(table, dataset, task.ruleId)));
      walk.leave();
    }
    if (writes.length > 0 || children.length === childrenPerRead) {
      const { isOver } = walk;
      return yield { writes: [...writes, ...walk.flush()], ...(isOver ? {} : { position: walk.position() }) };
    }
  }
};

/**
 * Where the walk begins. The item of a deleted collection is hidden or gone: its former content tells its type. A dataset
 * may have the name of a deleted container; then the walk visits the content of both.
 */
async function findStart(table: Table, did: DidKey, since: number): Promise<ContentPosition> {
  const type = (await getDid(table, did))?.type;
  if (type === 'CONTAINER') return getStartPosition({ ...did, type });
  const past = { deletedAt: Number.MAX_SAFE_INTEGER, child: did };
  const [former] = await readContainer(table, { did, past }, 1, since);
  const [first] = type === 'DATASET' ? [] : await readChildren(table, { did }, 1, since);
  if (first !== undefined && first.type !== 'FILE') return getStartPosition({ ...did, type: 'CONTAINER' });
  const start = getStartPosition({ ...did, type: 'DATASET' });
  return former === undefined ? start : { ...start, path: [{ did, past }] };
}

interface LockSearch {
  readonly ruleId: string;
  /** Absent: the rule has ended. */
  readonly below: DescendantTest | undefined;
  readonly children: readonly Child[];
}

/** The files among children, by name, that have a lock of a rule but are not below its DID any more. */
async function findUnjustifiedFiles(
  table: Table,
  { ruleId, below, children }: LockSearch,
): Promise<Map<string, FileDid>> {
  const found = await getFiles(
    table,
    children.filter(({ type }) => type === 'FILE').map(({ child }) => child),
  );
  const locked = found.filter(({ replicas }) =>
    [...replicas.values()].some((replica) => findLock(replica, ruleId) !== undefined),
  );
  const attached = await below?.findBelow(locked);
  const unjustified = locked.filter((file) => attached?.has(formatDid(file)) !== true);
  return new Map(unjustified.map((file) => [formatDid(file), file]));
}

async function planDatasetUnlock(table: Table, dataset: DidKey, ruleId: string): Promise<Write[]> {
  return (await getDatasetLocks(table, dataset, ruleId)).map(deleteDatasetLock);
}
