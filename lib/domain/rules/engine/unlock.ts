import type { DidKey, DidType } from '../../../contract/schemas/did.ts';
import type { Table } from '../../../store/batches/table.ts';
import { deleteDatasetLock, getDatasetLocks } from '../../../store/entities/dataset-lock.ts';
import { type FileDid, getDid, getFiles } from '../../../store/entities/did.ts';
import { getRule } from '../../../store/entities/rule.ts';
import type { Write } from '../../../store/items/plan.ts';
import { ContentParents } from '../../did-graph/content-parents.ts';
import {
  type Child,
  ContentWalk,
  getStartPosition,
  readChildren,
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

/** Datasets without locks that one step may skip. */
const datasetsPerStep = 30;

/** Items that one file usually changes: its own and transfers to two RSEs. */
const itemsPerFile = 3;

/**
 * Children detached within this time are checked, too: the reaction to their own detachment may have found no path to
 * the rule.
 */
const detachWindowMs = 86_400_000;

/**
 * Releases the locks of a rule on present and recent content of a collection that is no longer below the rule's DID
 * (spec/replication.md 3.6). Visits each collection once.
 */
export const unlock: Worker = async function* ({ now }, latest, { task, position, due }): AsyncGenerator<TaskStep> {
  const table = latest.latest();
  if (task.kind !== 'unlock') return yield { writes: [] };
  const rule = await getRule(table, task.ruleId);
  // If the rule is gone, none of its locks is justified.
  const below = rule === undefined ? undefined : new DescendantTest(rule.did, new ContentParents(table));
  const isOutside = async (did: DidKey) => (await below?.isAtOrBelow(did)) !== true;
  if (!(await isOutside(task.under))) return yield { writes: [] };
  const since = due - detachWindowMs;
  const start =
    readContentPosition(position) ??
    getStartPosition({ ...task.under, type: await readType(table, task.under, since) });
  const walk = new ContentWalk(table, start, { since, enters: isOutside });
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
    const planWrites = () => [
      ...changes.writes(counted),
      ...(rule === undefined || rule.removing === true ? [] : recheckLater(rule.id, released, now)),
    ];
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

/** The type of a collection. If its item is hidden by a deletion, its content tells the type. */
async function readType(table: Table, did: DidKey, since: number): Promise<DidType> {
  const found = await getDid(table, did);
  if (found !== undefined) return found.type;
  const [first] = await readChildren(table, { did }, 1, since);
  return first === undefined || first.type === 'FILE' ? 'DATASET' : 'CONTAINER';
}

interface LockSearch {
  readonly ruleId: string;
  /** Absent: the rule is gone. */
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
