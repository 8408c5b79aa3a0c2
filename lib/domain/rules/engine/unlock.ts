import type { DidKey } from '../../../contract/schemas/did.ts';
import { type Did, getDid, getDids } from '../../../store/entities/did.ts';
import { deleteDatasetLock, listDatasetLocks } from '../../../store/entities/dataset-lock.ts';
import { listChildren, listHistory } from '../../../store/entities/edge.ts';
import { getRule, type Rule } from '../../../store/entities/rule.ts';
import { insertWork, type Task } from '../../../store/entities/work.ts';
import type { Write } from '../../../store/plan.ts';
import type { Table } from '../../../store/table.ts';
import { mapLimited } from '../../../parallel.ts';
import { ReplicaChanges } from '../../replicas/replica-changes.ts';
import type { Step, Worker } from '../../work/worker.ts';
import { Below } from './below.ts';
import { lockOf, releaseLock } from './release.ts';

/** Children that a step looks at. */
const perStep = 300;

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
export const unlock: Worker = async ({ now }, latest, { task, position, due }) => {
  const table = latest.latest();
  if (task.kind !== 'unlock') return { writes: [] };
  const rule = await getRule(table, task.ruleId);
  // Nothing is below a rule that is gone.
  const below = rule === undefined ? undefined : new Below(table, rule.did);
  const collection = await getDid(table, task.under);
  if ((await below?.has(task.under)) === true) return { writes: [] };
  const { children, next } = await childrenOf(
    table,
    task.under,
    (position as UnlockPosition | undefined) ?? {},
    due - recent,
  );
  const files = children.filter(({ type }) => type === 'FILE');
  const step = {
    writes: [
      ...(await release(table, { ruleId: task.ruleId, rule, below, files, now })),
      ...(next === undefined && collection?.type === 'DATASET'
        ? await unlockDataset(table, collection, task.ruleId)
        : []),
      ...children.filter(({ type }) => type !== 'FILE').flatMap(({ child }) => deeper(task, child, now)),
    ],
  };
  return next === undefined ? step : { ...step, position: next };
};

interface Child {
  readonly child: DidKey;
  readonly type: Did['type'];
}

async function childrenOf(table: Table, parent: DidKey, { after, past }: UnlockPosition, since: number) {
  const children: Child[] = [];
  if (past === undefined) {
    for await (const { child, type } of listChildren(table, parent, { after, pageSize: perStep })) {
      children.push({ child, type });
      if (children.length === perStep) return { children, next: { after: child } satisfies UnlockPosition };
    }
  }
  const from = past ?? { deletedAt: Math.max(since, 0), child: parent };
  for await (const { child, type, deletedAt } of listHistory(table, parent, { after: from, pageSize: perStep })) {
    children.push({ child, type });
    if (children.length >= perStep) return { children, next: { past: { deletedAt, child } } satisfies UnlockPosition };
  }
  return { children, next: undefined };
}

function deeper({ ruleId, depth = 0 }: UnlockTask, under: DidKey, now: number): Write[] {
  return depth < deepest ? [insertWork({ kind: 'unlock', ruleId, under, depth: depth + 1 }, now)] : [];
}

interface Release {
  readonly ruleId: string;
  readonly rule: Rule | undefined;
  readonly below: Below | undefined;
  readonly files: readonly Child[];
  readonly now: number;
}

async function release(table: Table, { ruleId, rule, below, files, now }: Release): Promise<Write[]> {
  const changes = new ReplicaChanges(now);
  const found = await getDids(
    table,
    files.map(({ child }) => child),
  );
  const locked = found.filter(({ replicas }) =>
    [...replicas.values()].some((replica) => lockOf(replica, ruleId) !== undefined),
  );
  const kept = await mapLimited(locked, parallel, async (file) => (await below?.has(file)) === true);
  for (const [index, file] of locked.entries()) {
    if (kept[index] === true) continue;
    for (const rseId of file.replicas.keys()) releaseLock(changes, { file, rseId, ruleId, rule, now });
  }
  return changes.writes(new Set(rule === undefined ? [] : [ruleId]));
}

async function unlockDataset(table: Table, dataset: Did, ruleId: string): Promise<Step['writes']> {
  return (await listDatasetLocks(table, dataset, ruleId)).map(deleteDatasetLock);
}
