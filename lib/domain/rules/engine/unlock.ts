import type { DidKey, DidType } from '../../../contract/schemas/did.ts';
import { mapLimited } from '../../../parallel.ts';
import type { Table } from '../../../store/batches/table.ts';
import { deleteDatasetLock, listDatasetLocks } from '../../../store/entities/dataset-lock.ts';
import { type Did, getDid, getDids } from '../../../store/entities/did.ts';
import { getRule } from '../../../store/entities/rule.ts';
import type { Write } from '../../../store/items/plan.ts';
import { Below } from '../../did-graph/below.ts';
import { type Child, ContentWalk, readChildren, readPosition, startOf } from '../../did-graph/content-walk.ts';
import { lockOf, releaseLock } from '../../locks/release.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import { formatDid } from '../../values/format-did.ts';
import { type Step, touchedPerStep, type Worker } from '../../values/worker.ts';
import { recheckLater } from './recheck-later.ts';

/** Children that are looked at together. */
const perStep = 300;

/** Datasets without locks that are passed in one step. */
const datasetsPerStep = 30;

/** Items that a single file touches, mostly: itself, and transfers to two RSEs. */
const widest = 3;

/** Files of which the ways up are asked for at once. */
const parallel = 32;

/** How far back what was attached is looked at, too: its own detachment may have met a way up that was gone, in milliseconds. */
const recent = 86_400_000;

/**
 * Takes the locks of a rule from what is, or was lately, below a collection that is not below the rule's DID any more
 * (spec/replication.md 3.6). Each collection among it is gone through once.
 */
export const unlock: Worker = async function* ({ now }, latest, { task, position, due }): AsyncGenerator<Step> {
  const table = latest.latest();
  if (task.kind !== 'unlock') return yield { writes: [] };
  const rule = await getRule(table, task.ruleId);
  // Nothing is below a rule that is gone.
  const below = rule === undefined ? undefined : new Below(table, rule.did);
  const isFree = async (did: DidKey) => (await below?.has(did)) !== true;
  if (!(await isFree(task.under))) return yield { writes: [] };
  const since = due - recent;
  const start = readPosition(position) ?? startOf({ ...task.under, type: await typeOf(table, task.under, since) });
  const walk = new ContentWalk(table, start, { since, enters: isFree });
  const counted = new Set(rule === undefined ? [] : [task.ruleId]);
  for (let datasets = 0; ; datasets += 1) {
    const dataset = await walk.next();
    const { place } = walk;
    if (walk.isOver) return yield { writes: [] };
    if (dataset === undefined || place === undefined || datasets === datasetsPerStep) {
      return yield { writes: walk.flush(), position: walk.position() };
    }
    if (!(await isFree(dataset))) {
      walk.leave();
      continue;
    }
    const children = await readChildren(table, place, perStep, since);
    const files = await lockedFiles(table, { ruleId: task.ruleId, isFree, children });
    let changes = new ReplicaChanges(now);
    let released: DidKey[] = [];
    const written = () => [
      ...changes.writes(counted),
      ...(rule === undefined || rule.removing === true ? [] : recheckLater(rule.id, released, now)),
    ];
    for (const { child, place: here } of children) {
      walk.moveTo(here);
      const file = files.get(formatDid(child));
      // What was attached and detached more than once comes more than once.
      files.delete(formatDid(child));
      for (const rseId of file?.replicas.keys() ?? []) {
        releaseLock(changes, { file: file as Did, rseId, ruleId: task.ruleId, rule, now });
      }
      if (file !== undefined) released.push(child);
      if (changes.touched < touchedPerStep - widest) continue;
      yield { writes: [...written(), ...walk.flush()], position: walk.position() };
      changes = new ReplicaChanges(now);
      released = [];
    }
    const writes = written();
    if (children.length < perStep) {
      writes.push(...(await unlockDataset(table, dataset, task.ruleId)));
      walk.leave();
    }
    if (writes.length > 0 || children.length === perStep) {
      const { isOver } = walk;
      return yield { writes: [...writes, ...walk.flush()], ...(isOver ? {} : { position: walk.position() }) };
    }
  }
};

/** What a collection is, or was: one that is being deleted is known by its content only. */
async function typeOf(table: Table, did: DidKey, since: number): Promise<DidType> {
  const found = await getDid(table, did);
  if (found !== undefined) return found.type;
  const [first] = await readChildren(table, { did }, 1, since);
  return first === undefined || first.type === 'FILE' ? 'DATASET' : 'CONTAINER';
}

interface Wanted {
  readonly ruleId: string;
  readonly isFree: (did: DidKey) => Promise<boolean>;
  readonly children: readonly Child[];
}

/** The files among children, by name, that have a lock of a rule which nothing justifies any more. */
async function lockedFiles(table: Table, { ruleId, isFree, children }: Wanted): Promise<Map<string, Did>> {
  const found = await getDids(
    table,
    children.filter(({ type }) => type === 'FILE').map(({ child }) => child),
  );
  const locked = found.filter(({ replicas }) =>
    [...replicas.values()].some((replica) => lockOf(replica, ruleId) !== undefined),
  );
  const free = await mapLimited(locked, parallel, isFree);
  return new Map(locked.filter((_file, index) => free[index]).map((file) => [formatDid(file), file]));
}

async function unlockDataset(table: Table, dataset: DidKey, ruleId: string): Promise<Write[]> {
  return (await listDatasetLocks(table, dataset, ruleId)).map(deleteDatasetLock);
}
