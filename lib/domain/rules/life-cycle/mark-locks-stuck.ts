import type { Table } from '../../../store/batches/table.ts';
import type { FileDid, Replica, ReplicaLock } from '../../../store/entities/did.ts';
import { changeRule } from '../../../store/entities/rule-writes.ts';
import { getRule, getRules, type Rule } from '../../../store/entities/rule.ts';
import type { Write } from '../../../store/items/plan.ts';
import { readContentPosition } from '../../did-graph/content-walk.ts';
import { findLock } from '../../locks/release-lock.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import { scheduleRepair } from '../../locks/rule-errors.ts';
import { mayHaveCrashed, type TaskStep, type Worker } from '../../values/worker.ts';
import { readContentPart, splitIntoPortions } from './content-part.ts';

/**
 * Marks the REPLICATING locks of a rule as STUCK (spec/replication.md 2.4). If the transfers are cancelled, the locks
 * of other rules that wait for the same transfers become STUCK, too.
 */
export const markLocksStuck: Worker = async function* (
  { now },
  latest,
  { task, position: from, failures },
): AsyncGenerator<TaskStep> {
  const table = latest.latest();
  const rule = await getRule(table, task.ruleId);
  if (rule === undefined || task.kind !== 'stick') return yield { writes: [] };
  const { files, next, kept } = await readContentPart(table, rule, readContentPosition(from), {
    isCautious: mayHaveCrashed(failures),
  });
  const mark = (changes: ReplicaChanges, file: FileDid) => markFile(changes, file, task);
  let stuckBefore = rule.stuck;
  for (const { changes, position } of splitIntoPortions(files, now, mark)) {
    const nextPosition = position ?? next;
    const counted = await getRules(table, changes.counters().keys());
    if (nextPosition === undefined) {
      const others = new Map([...counted].filter(([id]) => id !== rule.id));
      yield {
        writes: [
          ...changes.writes(others),
          ...endTask({ ...rule, stuck: stuckBefore }, task.isIncomplete === true, changes, now),
          ...(task.repairs === true ? [scheduleRepair(rule.id, now, 0)] : []),
        ],
      };
      return;
    }
    stuckBefore += changes.counters().get(rule.id)?.['stuck'] ?? 0;
    yield { writes: [...changes.writes(counted), ...(position === undefined ? kept : [])], position: nextPosition };
  }
};

/** The most locks that a request marks itself; those of a larger rule are left to a task. */
const maxLocksAtOnce = 100;

/** Changes that mark the locks of a rule. */
export interface MarkedLocks {
  /** The writes of everything but the rule. */
  readonly writes: readonly Write[];
  /** Amounts to add to the counters of the rule. */
  readonly counters: Readonly<Record<string, number>>;
}

/** {@link markLocksStuck} for the plan of a request; undefined: the rule is too large, and is left to a task. */
export async function planMarkedLocks(
  table: Table,
  rule: Rule,
  task: StuckOptions,
  now: number,
): Promise<MarkedLocks | undefined> {
  if (rule.ok + rule.replicating + rule.stuck > maxLocksAtOnce) return undefined;
  const { files, next } = await readContentPart(table, rule);
  if (next !== undefined) return undefined;
  const changes = new ReplicaChanges(now);
  for (const { file } of files) markFile(changes, file, task);
  const counters = changes.counters();
  const others = await getRules(
    table,
    [...counters.keys()].filter((id) => id !== rule.id),
  );
  return { writes: changes.writes(others), counters: counters.get(rule.id) ?? {} };
}

function markFile(changes: ReplicaChanges, file: FileDid, task: StuckOptions): void {
  for (const [rseId, replica] of file.replicas) {
    if (findLock(replica, task.ruleId)?.state === 'R') markReplica(changes, file, rseId, replica, task);
  }
}

interface StuckOptions {
  readonly ruleId: string;
  /** Whether the transfers are cancelled. */
  readonly cancels?: boolean;
}

function markReplica(
  changes: ReplicaChanges,
  file: FileDid,
  rseId: string,
  replica: Replica,
  task: StuckOptions,
): void {
  const { askedBy: _wish, ...cancelled } = replica;
  const locks = Object.entries(replica.locks ?? {}).map(([id, lock]): [string, ReplicaLock] => [
    id,
    lock.state === 'R' && (task.cancels === true || id === task.ruleId) ? { ...lock, state: 'S' } : lock,
  ]);
  changes.set(file, rseId, {
    ...(task.cancels === true && replica.state === 'C' ? { ...cancelled, state: 'U' } : replica),
    locks: Object.fromEntries(locks),
  });
}

/** The last step: the state of a complete rule with stuck locks follows from its counters again. */
function endTask({ id, status, stuck }: Rule, isIncomplete: boolean, changes: ReplicaChanges, now: number): Write[] {
  const add = changes.counters().get(id) ?? {};
  const isStuckByLocks = !isIncomplete && status === 'FAILED' && stuck + (add['stuck'] ?? 0) > 0;
  if (!isStuckByLocks && Object.keys(add).length === 0) return [];
  const set = { ...(isStuckByLocks ? { status: 'ACTIVE' } : {}), updatedAt: now };
  return [changeRule(id, { add, set }, { when: { status } })];
}
