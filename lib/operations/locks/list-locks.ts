import type { DidKey } from '../../contract/schemas/did.ts';
import type { DatasetLockLine } from '../../contract/schemas/lock.ts';
import { describeLocks } from '../../domain/locks/describe-locks.ts';
import { byName, type Page, type Placed, placed, rowsOf, sliceOf, wholeList } from '../../domain/paging/page.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import { getDatasetLocks, listLocksOnRse } from '../../store/entities/dataset-lock.ts';

/** Locks whose rules and datasets are read in one batch. */
const locksPerRead = 100;

/** Lists the locks on a dataset, by rule, then by RSE; empty for any other DID (spec/replication.md 4). */
export async function* listDatasetLocks(
  { store: { table } }: Context,
  dataset: DidKey,
  page: Page = wholeList,
): AsyncGenerator<Placed<DatasetLockLine>> {
  if (!isValidDid(dataset)) return;
  const { pageSize = locksPerRead } = sliceOf(page);
  const locks = byName(await getDatasetLocks(table, dataset), ({ ruleId, rseId }) => `${ruleId} ${rseId}`, page);
  for await (const chunk of splitIntoChunks(rowsOf(locks), Math.min(pageSize, locksPerRead))) {
    for (const { lock, line } of await describeLocks(table, chunk)) {
      yield placed(line, `${lock.ruleId} ${lock.rseId}`);
    }
  }
}

/**
 * Lists the dataset locks on an RSE, by scope, name and rule (spec/replication.md 4).
 *
 * @throws RSENotFound (404).
 */
export async function* listDatasetLocksOnRse(
  { store: { table } }: Context,
  name: string,
  page: Page = wholeList,
): AsyncGenerator<Placed<DatasetLockLine>> {
  const { id } = await requireCachedLiveRse(table, name);
  const [scope, dataset = '', ruleId = ''] = page.after ?? [];
  const after = scope === undefined ? undefined : { did: { scope, name: dataset }, ruleId };
  const slice = sliceOf(page, after);
  const locks = listLocksOnRse(table, id, slice);
  for await (const chunk of splitIntoChunks(locks, Math.min(slice.pageSize ?? locksPerRead, locksPerRead))) {
    for (const { lock, line } of await describeLocks(table, chunk)) {
      yield placed(line, lock.did.scope, lock.did.name, lock.ruleId);
    }
  }
}
