import type { DidKey } from '../../../contract/schemas/did.ts';
import type { Table } from '../../../store/batches/table.ts';
import { getDids } from '../../../store/entities/did.ts';
import { listChildren } from '../../../store/entities/edge.ts';
import type { Rule } from '../../../store/entities/rule.ts';
import { lockOf } from '../../locks/release.ts';
import { formatDid } from '../../values/format-did.ts';

/** Files that are looked at to find one with a lock. */
const few = 10;

/** Whether a rule has any locks. */
export function hasLocks({ ok, replicating, stuck }: Pick<Rule, 'ok' | 'replicating' | 'stuck'>): boolean {
  return ok + replicating + stuck > 0;
}

/**
 * The RSEs on which a rule has locked one of the first files of a dataset; none where it has locked none of them.
 *
 * @param besides Files that do not count, as `scope:name`.
 */
export async function lockedBeside(
  table: Table,
  { id }: Pick<Rule, 'id'>,
  { dataset, besides }: { readonly dataset: DidKey; readonly besides: ReadonlySet<string> },
): Promise<readonly string[]> {
  const others: DidKey[] = [];
  let seen = 0;
  for await (const { child } of listChildren(table, dataset, { pageSize: besides.size + few })) {
    if (!besides.has(formatDid(child))) others.push(child);
    seen += 1;
    if (others.length === few || seen === besides.size + few) break;
  }
  for (const { replicas } of await getDids(table, others)) {
    const rseIds = [...replicas].filter(([, replica]) => lockOf(replica, id) !== undefined).map(([rseId]) => rseId);
    if (rseIds.length > 0) return rseIds;
  }
  return [];
}
