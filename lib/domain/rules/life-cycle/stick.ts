import type { Did, Replica, ReplicaLock } from '../../../store/entities/did.ts';
import { changeRule, getRule, getRules, type Rule } from '../../../store/entities/rule.ts';
import type { Write } from '../../../store/items/plan.ts';
import { readPosition } from '../../did-graph/content-walk.ts';
import { lockOf } from '../../locks/release.ts';
import type { ReplicaChanges } from '../../locks/replica-changes.ts';
import { stuckFor } from '../../locks/verdict.ts';
import { mayHaveCrashed, type Step, type Worker } from '../../values/worker.ts';
import { portionsOf, readPart } from './content.ts';

/**
 * Declares the locks of a rule stuck that wait for copies (spec/replication.md 2.4); where the copies are not wanted any
 * more, those of other rules that wait for the same ones are, too.
 */
export const stickLocks: Worker = async function* (
  { now },
  latest,
  { task, position: from, failures },
): AsyncGenerator<Step> {
  const table = latest.latest();
  const rule = await getRule(table, task.ruleId);
  if (rule === undefined || task.kind !== 'stick') return yield { writes: [] };
  const { files, next, kept } = await readPart(table, rule, readPosition(from), mayHaveCrashed(failures));
  const stuck = (changes: ReplicaChanges, file: Did) => {
    for (const [rseId, replica] of file.replicas) {
      if (lockOf(replica, rule.id)?.state === 'R') stick(changes, file, rseId, replica, task);
    }
  };
  let before = rule.stuck;
  for (const { changes, position } of portionsOf(files, now, stuck)) {
    const here = position ?? next;
    const counted = await getRules(table, changes.counters().keys());
    if (here === undefined) {
      const others = new Map([...counted].filter(([id]) => id !== rule.id));
      yield {
        writes: [
          ...changes.writes(others),
          ...settle({ ...rule, stuck: before }, changes, now),
          ...(task.repairs === true ? [stuckFor(rule.id, now, 0)] : []),
        ],
      };
      return;
    }
    before += changes.counters().get(rule.id)?.['stuck'] ?? 0;
    yield { writes: [...changes.writes(counted), ...(position === undefined ? kept : [])], position: here };
  }
};

interface Sticking {
  readonly ruleId: string;
  /** The copies are not wanted any more. */
  readonly cancels?: boolean;
}

function stick(changes: ReplicaChanges, file: Did, rseId: string, replica: Replica, task: Sticking): void {
  const { askedBy: _wish, ...cancelled } = replica;
  const locks = Object.entries(replica.locks ?? {}).map(([id, lock]): [string, ReplicaLock] => [
    id,
    lock.state === 'R' && (task.cancels === true || id === task.ruleId) ? { ...lock, state: 'S' } : lock,
  ]);
  changes.set(file, rseId, {
    ...(task.cancels === true ? { ...cancelled, state: 'U' } : replica),
    locks: Object.fromEntries(locks),
  });
}

/** At last a rule with stuck locks follows them again: it is stuck because of them, and not any longer than they are. */
function settle({ id, status, stuck }: Rule, changes: ReplicaChanges, now: number): Write[] {
  const add = changes.counters().get(id) ?? {};
  const follows = status === 'FAILED' && stuck + (add['stuck'] ?? 0) > 0;
  if (!follows && Object.keys(add).length === 0) return [];
  const set = { ...(follows ? { status: 'ACTIVE' } : {}), updatedAt: now };
  return [changeRule(id, { add, set }, { when: { status } })];
}
