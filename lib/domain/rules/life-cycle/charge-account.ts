import type { FileDid, Replica } from '../../../store/entities/did.ts';
import { getRule, type Rule } from '../../../store/entities/rule.ts';
import { readContentPosition } from '../../did-graph/content-walk.ts';
import { findLock } from '../../locks/release-lock.ts';
import type { ReplicaChanges } from '../../locks/replica-changes.ts';
import { mayHaveCrashed, type TaskStep, type Worker } from '../../values/worker.ts';
import { readContentPart, splitIntoPortions } from './content-part.ts';

/**
 * Charges the locks of a rule to its account, whichever account they were charged to before (spec/replication.md 2.4).
 */
export const chargeAccount: Worker = async function* (
  { now },
  latest,
  { task, position, failures },
): AsyncGenerator<TaskStep> {
  const table = latest.latest();
  const rule = await getRule(table, task.ruleId);
  if (rule === undefined) return yield { writes: [] };
  const { files, next, kept } = await readContentPart(
    table,
    rule,
    readContentPosition(position),
    mayHaveCrashed(failures),
  );
  const charged = (changes: ReplicaChanges, file: FileDid) => {
    for (const [rseId, replica] of file.replicas) charge(changes, file, rseId, replica, rule);
  };
  for (const { changes, position: here } of splitIntoPortions(files, now, charged)) {
    const writes = changes.writes(new Set());
    if (here !== undefined) yield { writes, position: here };
    else yield { writes: [...writes, ...kept], ...(next === undefined ? {} : { position: next }) };
  }
};

function charge(changes: ReplicaChanges, file: FileDid, rseId: string, replica: Replica, { id, account }: Rule): void {
  const lock = findLock(replica, id);
  if (lock === undefined || lock.account === account) return;
  changes.set(file, rseId, { ...replica, locks: { ...replica.locks, [id]: { ...lock, account } } });
}
