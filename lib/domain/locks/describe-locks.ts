import type { DatasetLockLine } from '../../contract/schemas/lock.ts';
import type { Table } from '../../store/batches/table.ts';
import type { DatasetLock } from '../../store/entities/dataset-lock.ts';
import { type CollectionDid, getCollections } from '../../store/entities/did.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import { getRules, type Rule } from '../../store/entities/rule.ts';
import { formatOptionalDate } from '../../time.ts';
import { formatDid } from '../values/format-did.ts';
import { stateOfDatasetLocks, stateOfRule } from '../values/rule-state.ts';

/**
 * Describes dataset locks in their order. Account and state come from the rule; the sizes come from the dataset and are
 * shown only if it is closed (spec/replication.md 4). Omits locks of rules that are gone.
 */
export async function describeLocks(
  table: Table,
  locks: readonly DatasetLock[],
): Promise<{ readonly lock: DatasetLock; readonly line: DatasetLockLine }[]> {
  if (locks.length === 0) return [];
  const [rules, dids, fleet] = await Promise.all([
    getRules(table, new Set(locks.map(({ ruleId }) => ruleId))),
    getCollections(
      table,
      locks.map(({ did }) => did),
    ),
    getFleet(table),
  ]);
  const byName = new Map(dids.map((did) => [formatDid(did), did]));
  return locks.flatMap((lock) => {
    const rule = rules.get(lock.ruleId);
    if (rule === undefined) return [];
    const rse = fleet.byId.get(lock.rseId)?.rse ?? lock.rseId;
    return [{ lock, line: describeLock(lock, rse, rule, byName.get(formatDid(lock.did))) }];
  });
}

function describeLock(lock: DatasetLock, rse: string, rule: Rule, dataset: CollectionDid | undefined): DatasetLockLine {
  const isClosed = dataset?.open === false;
  return {
    rse_id: lock.rseId,
    rse,
    scope: lock.did.scope,
    name: lock.did.name,
    rule_id: lock.ruleId,
    account: rule.account,
    state: stateOfRule(rule) === 'STUCK' ? 'STUCK' : stateOfDatasetLocks(rule),
    length: isClosed ? (dataset.length ?? 0) : null,
    bytes: isClosed ? (dataset.bytes ?? 0) : null,
    accessed_at: formatOptionalDate(lock.accessedAt),
  };
}
