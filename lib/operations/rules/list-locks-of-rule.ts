import type { ReplicaLockLine } from '../../contract/schemas/lock.ts';
import { lockStateNames } from '../../contract/schemas/states.ts';
import { findLock } from '../../domain/locks/release-lock.ts';
import { type Page, type Placed, placed, wholeList } from '../../domain/paging/page.ts';
import { listFilesOfRule } from '../../domain/rules/files-of-rule.ts';
import { readRuleId } from '../../domain/rules/find-rule.ts';
import type { Context } from '../../domain/values/context.ts';
import type { FileDid } from '../../store/entities/did.ts';
import { type Fleet, getFleet } from '../../store/entities/rse-fleet.ts';
import { getRule } from '../../store/entities/rule.ts';

/**
 * Lists the locks of a rule on replicas of files, by scope, name and RSE; empty if there is no such rule
 * (spec/replication.md 2.10). Costs a read of each file below the DID of the rule, since locks are stored with the
 * files.
 *
 * @throws RucioException (400) for a malformed id.
 */
export async function* listLocksOfRule(
  { store: { table } }: Context,
  text: string,
  page: Page = wholeList,
): AsyncGenerator<Placed<ReplicaLockLine>> {
  const [rule, fleet] = await Promise.all([getRule(table, readRuleId(text)), getFleet(table)]);
  if (rule === undefined) return;
  const [scope, name = '', rse = ''] = page.after ?? [];
  const resumed = scope === undefined ? undefined : { scope, name };
  for await (const file of listFilesOfRule(table, rule, resumed)) {
    const isResumed = file.scope === resumed?.scope && file.name === resumed.name;
    for (const line of locksOn(file, rule.id, fleet)) {
      if (!isResumed || line.rse > rse) yield placed(line, line.scope, line.name, line.rse);
    }
  }
}

/** The locks of a rule on the replicas of a file, by RSE. */
export function locksOn(file: FileDid, ruleId: string, { byId }: Fleet): ReplicaLockLine[] {
  const lines = [...file.replicas].flatMap(([rseId, replica]): ReplicaLockLine[] => {
    const lock = findLock(replica, ruleId);
    if (lock === undefined) return [];
    const { scope, name } = file;
    const rse = byId.get(rseId)?.rse ?? rseId;
    return [{ scope, name, rse_id: rseId, rse, state: lockStateNames[lock.state], rule_id: ruleId }];
  });
  return lines.toSorted((a, b) => (a.rse < b.rse ? -1 : 1));
}
