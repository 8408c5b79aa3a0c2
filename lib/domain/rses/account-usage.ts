import type { AccountUsageLine } from '../../contract/schemas/rse-usage.ts';
import { getLocalLimits } from '../../store/entities/account-limit.ts';
import { getAccountUsages } from '../../store/entities/account-usage.ts';
import { listAccounts } from '../../store/entities/account.ts';
import type { Table } from '../../store/table.ts';
import { chunksOf } from '../chunks.ts';
import type { Context } from '../context.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../paging/page.ts';
import { requireRseId } from './find-rse.ts';

const chunkSize = 100;

/**
 * What every account uses of an RSE, live or disabled, and may use of it, in name order; whatever the status of the
 * account (spec/rses.md 1.27, 7.5).
 *
 * @throws RSENotFound (404).
 */
export async function* listRseAccountUsage(
  { store: { table } }: Context,
  name: string,
  page: Page = wholeList,
): AsyncGenerator<Placed<AccountUsageLine>> {
  const id = await requireRseId(table, name);
  for await (const accounts of chunksOfAccounts(table, page)) {
    const [usages, limits] = await Promise.all([
      getAccountUsages(table, accounts, id),
      getLocalLimits(table, accounts, id),
    ]);
    for (const account of accounts) {
      const { bytes = 0, files = 0 } = usages.get(account) ?? {};
      const quota = limits.get(account) ?? null;
      const line = { rse_id: id, rse: name, account, used_files: files, used_bytes: bytes, quota_bytes: quota };
      yield placed(line, account);
    }
  }
}

/**
 * The names of all accounts, as many at once as a request to the table takes. What they use lies with them, and no index
 * leads to it from an RSE: what is asked of all of them costs as much as there are accounts.
 */
export async function* chunksOfAccounts(table: Table, page: Page = wholeList): AsyncGenerator<string[]> {
  const slice = sliceOf(page, page.after?.[0]);
  const accounts = listAccounts(table, '', slice);
  for await (const chunk of chunksOf(accounts, Math.min(slice.pageSize ?? chunkSize, chunkSize))) {
    yield chunk.map(({ account }) => account);
  }
}
