import type { AccountAnswer } from '../../contract/schemas/account.ts';
import { requireAccount } from '../../domain/accounts/find-account.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatIsoDate } from '../../time.ts';

/**
 * An account, whatever its status (spec/access.md 2.2).
 *
 * @throws AccountNotFound (404).
 */
export async function getAccountRecord({ store }: Context, account: string): Promise<AccountAnswer> {
  const found = await requireAccount(store.table, account);
  return {
    account,
    account_type: found.type as AccountAnswer['account_type'],
    status: found.status as AccountAnswer['status'],
    email: found.email,
    suspended_at: optionalDate(found.suspendedAt),
    deleted_at: optionalDate(found.deletedAt),
    created_at: formatIsoDate(found.createdAt),
    updated_at: formatIsoDate(found.updatedAt),
  };
}

function optionalDate(ms: number | null): string | null {
  return ms === null ? null : formatIsoDate(ms);
}
