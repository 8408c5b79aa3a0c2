import type { DidKey } from '../../../contract/schemas/did.ts';
import { mapLimited } from '../../../parallel.ts';
import { deleteDatasetLock, listDatasetLocks } from '../../../store/entities/dataset-lock.ts';
import { type Did, getDid, getDids } from '../../../store/entities/did.ts';
import { listChildren, listHistory } from '../../../store/entities/edge.ts';
import { getRule } from '../../../store/entities/rule.ts';
import { insertWork, type Task } from '../../../store/entities/work.ts';
import type { Write } from '../../../store/plan.ts';
import type { Table } from '../../../store/table.ts';
import { formatDid } from '../../dids/format-did.ts';
import { ReplicaChanges } from '../../replicas/replica-changes.ts';
import { type Step, touchedPerStep, type Worker } from '../../work/worker.ts';
import { Below } from './below.ts';
import { lockOf, releaseLock } from './release.ts';

/** Children that are looked at together. */
const perStep = 300;

/** Items that a single file touches, mostly: itself, and transfers to two RSEs. */
const widest = 3;

/** Files of which the ways up are asked for at once. */
const parallel = 32;

/** How far back what was attached is looked at, too: its own detachment may have met a way up that was gone, in milliseconds. */
const recent = 86_400_000;

/** How deep containers are followed, which may stand in a circle. */
const deepest = 20;

/** How far the content of a collection was gone through: what it is, then what it was. */
interface UnlockPosition {
  readonly after?: DidKey;
  readonly past?: { readonly deletedAt: number; readonly child: DidKey };
}

type UnlockTask = Extract<Task, { kind: 'unlock' }>;

/**
 * Takes the locks of a rule from what is, or was lately, below a collection that is not below the rule's DID any more
 * (spec/replication.md 3.6). Each container among it becomes a task of its own.
 */
export const unlock: Worker = async function* ({ now }, latest, { task, position, due }): AsyncGenerator<Step> {
  const table = latest.latest();
  if (task.kind !== 'unlock') return yield { writes: [] };
  const rule = await getRule(table, task.ruleId);
  // Nothing is below a rule that is gone.
  const below = rule === undefined ? undefined : new Below(table, rule.did);
  const collection = await getDid(table, task.under);
  if ((await below?.has(task.under)) === true) return yield { writes: [] };
  const from = (position as UnlockPosition | undefined) ?? {};
  const { children, next } = await childrenOf(table, task.under, from, due - recent);
  const files = new Map(
    (await lockedFiles(table, { ruleId: task.ruleId, below, children })).map((file) => [formatDid(file), file]),
  );
  const counted = new Set(rule === undefined ? [] : [task.ruleId]);
  let changes = new ReplicaChanges(now);
  let deeperOnes: Write[] = [];
  for (const { child, type, position: here } of children) {
    if (type !== 'FILE') deeperOnes.push(...deeper(task, child, now));
    const file = files.get(formatDid(child));
    // What was attached and detached more than once comes more than once.
    files.delete(formatDid(child));
    for (const rseId of file?.replicas.keys() ?? []) {
      releaseLock(changes, { file: file as Did, rseId, ruleId: task.ruleId, rule, now });
    }
    if (changes.touched < touchedPerStep - widest) continue;
    yield { writes: [...changes.writes(counted), ...deeperOnes], position: here };
    changes = new ReplicaChanges(now);
    deeperOnes = [];
  }
  const writes = [...changes.writes(counted), ...deeperOnes];
  if (next !== undefined) return yield { writes, position: next };
  const isDataset = collection?.type === 'DATASET';
  yield { writes: [...writes, ...(isDataset ? await unlockDataset(table, collection, task.ruleId) : [])] };
};

interface Child {
  readonly child: DidKey;
  readonly type: Did['type'];
  /** Where what comes after it begins. */
  readonly position: UnlockPosition;
}

async function childrenOf(table: Table, parent: DidKey, { after, past }: UnlockPosition, since: number) {
  const children: Child[] = [];
  const answer = () => ({ children, next: children.length >= perStep ? children.at(-1)?.position : undefined });
  if (past === undefined) {
    for await (const { child, type } of listChildren(table, parent, { after, pageSize: perStep })) {
      children.push({ child, type, position: { after: child } });
      if (children.length === perStep) return answer();
    }
  }
  const from = past ?? { deletedAt: Math.max(since, 0), child: parent };
  for await (const { child, type, deletedAt } of listHistory(table, parent, { after: from, pageSize: perStep })) {
    children.push({ child, type, position: { past: { deletedAt, child } } });
    if (children.length >= perStep) return answer();
  }
  return { children, next: undefined };
}

function deeper({ ruleId, depth = 0 }: UnlockTask, under: DidKey, now: number): Write[] {
  return depth < deepest ? [insertWork({ kind: 'unlock', ruleId, under, depth: depth + 1 }, now)] : [];
}

interface Wanted {
  readonly ruleId: string;
  readonly below: Below | undefined;
  readonly children: readonly Child[];
}

/** The files among children that have a lock of a rule which nothing justifies any more. */
async function lockedFiles(table: Table, { ruleId, below, children }: Wanted): Promise<Did[]> {
  const found = await getDids(
    table,
    children.filter(({ type }) => type === 'FILE').map(({ child }) => child),
  );
  const locked = found.filter(({ replicas }) =>
    [...replicas.values()].some((replica) => lockOf(replica, ruleId) !== undefined),
  );
  const kept = await mapLimited(locked, parallel, async (file) => (await below?.has(file)) === true);
  return locked.filter((_file, index) => kept[index] !== true);
}

async function unlockDataset(table: Table, dataset: Did, ruleId: string): Promise<Step['writes']> {
  return (await listDatasetLocks(table, dataset, ruleId)).map(deleteDatasetLock);
}
