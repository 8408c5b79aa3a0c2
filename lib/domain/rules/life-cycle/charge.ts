import type { Did, Replica } from '../../../store/entities/did.ts';
import { getRule, type Rule } from '../../../store/entities/rule.ts';
import type { Position } from '../../paging/page.ts';
import { ReplicaChanges } from '../../replicas/replica-changes.ts';
import type { Worker } from '../../work/worker.ts';
import { lockOf } from '../engine/release.ts';
import { readPart } from './content.ts';

/** Charges the account of a rule with its locks, whomever they were charged to (spec/replication.md 2.4). */
export const chargeAccount: Worker = async ({ now }, latest, { task, position }) => {
  const table = latest.latest();
  const rule = await getRule(table, task.ruleId);
  if (rule === undefined) return { writes: [] };
  const { files, next } = await readPart(table, rule, position as Position | undefined);
  const changes = new ReplicaChanges(now);
  for (const file of files) {
    for (const [rseId, replica] of file.replicas) charge(changes, file, rseId, replica, rule);
  }
  return { writes: changes.writes(new Set()), ...(next === undefined ? {} : { position: next }) };
};

function charge(changes: ReplicaChanges, file: Did, rseId: string, replica: Replica, { id, account }: Rule): void {
  const lock = lockOf(replica, id);
  if (lock === undefined || lock.account === account) return;
  changes.set(file, rseId, { ...replica, locks: { ...replica.locks, [id]: { ...lock, account } } });
}
