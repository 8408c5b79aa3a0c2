import type { DidKey } from '../../../contract/schemas/did.ts';
import type { Table } from '../../../store/batches/table.ts';
import { type FileDid, getFiles } from '../../../store/entities/did.ts';
import { listChildren } from '../../../store/entities/edge.ts';
import type { Rule } from '../../../store/entities/rule.ts';
import { findLock } from '../../locks/release-lock.ts';
import { formatDid } from '../../values/format-did.ts';

/** The most files that are read to find one with a lock. */
const maxSiblings = 10;

/** Whether a rule has any locks. */
export function hasLocks({ ok, replicating, stuck }: Pick<Rule, 'ok' | 'replicating' | 'stuck'>): boolean {
  return ok + replicating + stuck > 0;
}

/**
 * The RSEs on which a rule has locked one of the first files of a dataset; empty if it has locked none of them.
 *
 * @param excluded Files to ignore, as `scope:name`.
 */
export async function findSiblingRses(
  table: Table,
  { id }: Pick<Rule, 'id'>,
  { dataset, excluded }: { readonly dataset: DidKey; readonly excluded: ReadonlySet<string> },
): Promise<readonly string[]> {
  const others: DidKey[] = [];
  let filesRead = 0;
  for await (const { child } of listChildren(table, dataset, { pageSize: excluded.size + maxSiblings })) {
    if (!excluded.has(formatDid(child))) others.push(child);
    filesRead += 1;
    if (others.length === maxSiblings || filesRead === excluded.size + maxSiblings) break;
  }
  for (const { replicas } of await getFiles(table, others)) {
    const rseIds = [...replicas].filter(([, replica]) => findLock(replica, id) !== undefined).map(([rseId]) => rseId);
    if (rseIds.length > 0) return rseIds;
  }
  return [];
}

/** The RSEs on which a rule has locks on a file. */
export function findLockedRses(replicas: FileDid['replicas'], ruleId: string): string[] {
  return [...replicas].filter(([, { locks }]) => locks !== undefined && Object.hasOwn(locks, ruleId)).map(([id]) => id);
}
