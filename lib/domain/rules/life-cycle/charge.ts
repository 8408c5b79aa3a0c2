import type { Did, Replica } from '../../../store/entities/did.ts';
import { getRule, type Rule } from '../../../store/entities/rule.ts';
import { readPosition } from '../../did-graph/content-walk.ts';
import { lockOf } from '../../locks/release.ts';
import type { ReplicaChanges } from '../../locks/replica-changes.ts';
import { mayHaveCrashed, type Step, type Worker } from '../../values/worker.ts';
import { portionsOf, readPart } from './content.ts';

/** Charges the account of a rule with its locks, whomever they were charged to (spec/replication.md 2.4). */
export const chargeAccount: Worker = async function* (
  { now },
  latest,
  { task, position, failures },
): AsyncGenerator<Step> {
  const table = latest.latest();
  const rule = await getRule(table, task.ruleId);
  if (rule === undefined) return yield { writes: [] };
  const { files, next, kept } = await readPart(table, rule, readPosition(position), mayHaveCrashed(failures));
  const charged = (changes: ReplicaChanges, file: Did) => {
    for (const [rseId, replica] of file.replicas) charge(changes, file, rseId, replica, rule);
  };
  for (const { changes, position: here } of portionsOf(files, now, charged)) {
    const writes = changes.writes(new Set());
    if (here !== undefined) yield { writes, position: here };
    else yield { writes: [...writes, ...kept], ...(next === undefined ? {} : { position: next }) };
  }
};

function charge(changes: ReplicaChanges, file: Did, rseId: string, replica: Replica, { id, account }: Rule): void {
  const lock = lockOf(replica, id);
  if (lock === undefined || lock.account === account) return;
  changes.set(file, rseId, { ...replica, locks: { ...replica.locks, [id]: { ...lock, account } } });
}
