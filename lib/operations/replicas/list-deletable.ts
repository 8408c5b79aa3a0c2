import type { DeletableReplicaLine } from '../../contract/schemas/replica.ts';
import { replicaStateNames } from '../../contract/schemas/states.ts';
import { findDeletable } from '../../domain/deletion/find-deletable.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import { lfnToPfn } from '../../domain/rses/pfn/lfn-to-pfn.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDate } from '../../time.ts';

/**
 * The replicas that may be deleted from an RSE now, in the order in which a reaper deletes them
 * (docs/how-to/free-space.md). Costs a read unit for each, and a query unit for some 30.
 *
 * @throws RSENotFound (404); InvalidObject (400) when the RSE names an unknown algorithm.
 */
export async function* listDeletableReplicas(
  { store: { table }, now }: Context,
  name: string,
  page: Page = wholeList,
): AsyncGenerator<Placed<DeletableReplicaLine>> {
  const rse = await requireCachedLiveRse(table, name);
  const [tombstone, listedAt = '', scope = '', file = ''] = page.after ?? [];
  const after =
    tombstone === undefined
      ? undefined
      : { tombstone: Number(tombstone), listedAt: Number(listedAt), did: { scope, name: file } };
  for await (const found of findDeletable(table, { rseId: rse.id, now, slice: sliceOf(page, after) })) {
    const { entry, file: did, replica } = found;
    const line = {
      scope: did.scope,
      name: did.name,
      rse: rse.rse,
      rse_id: rse.id,
      bytes: did.bytes ?? null,
      state: replicaStateNames[replica.state],
      pfn: lfnToPfn(rse, did, { operation: 'delete', domain: 'wan' }, replica.path) ?? null,
      tombstone: formatDate(entry.tombstone),
      since: formatDate(Math.max(entry.tombstone, entry.listedAt)),
    };
    yield placed(line, String(entry.tombstone), String(entry.listedAt), did.scope, did.name);
  }
}
