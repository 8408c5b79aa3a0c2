import type { AccountUsageLine } from '../../contract/schemas/rse-usage.ts';
import { listAccountChunks } from '../../domain/accounts/list-account-chunks.ts';
import { type Page, type Placed, placed, wholeList } from '../../domain/paging/page.ts';
import { requireRseId } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { getLocalLimits } from '../../store/entities/account-limit.ts';
import { getAccountUsages } from '../../store/entities/account-usage.ts';

/**
 * The usage and the limit of every account on an RSE, live or disabled, in name order; whatever the status of the account
 * (spec/rses.md 1.27, 7.5).
 *
 * @throws RSENotFound (404).
 */
export async function* listRseAccountUsage(
  { store: { table } }: Context,
  name: string,
  page: Page = wholeList,
): AsyncGenerator<Placed<AccountUsageLine>> {
  const id = await requireRseId(table, name);
  for await (const accounts of listAccountChunks(table, page)) {
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
