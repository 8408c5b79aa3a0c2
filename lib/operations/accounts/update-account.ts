import type { AccountChange } from '../../contract/schemas/account.ts';
import { requireAccountName, isAccountName, requireAccount } from '../../domain/accounts/find-account.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { invalidateAccount } from '../../domain/permission/facts.ts';
import type { Context } from '../../domain/values/context.ts';
import { RucioError } from '../../errors.ts';
import { type Account, changeAccount, getAccount } from '../../store/entities/account.ts';
import { LostRace } from '../../store/items/plan.ts';

type Change = Partial<Pick<Account, 'status' | 'email' | 'type' | 'suspendedAt'>>;

/**
 * Suspends or reactivates an account, or changes its e-mail address or type, in one write. Other keys, and the status
 * DELETED, have no effect (spec/access.md 2.2).
 *
 * @throws InvalidObject (400), AccessDenied (401), AccountNotFound (404).
 */
export async function updateAccount(context: Context, account: string, wanted: AccountChange): Promise<void> {
  if (!isAccountName(account)) requireAccountName(account);
  const [key] = Object.keys(wanted);
  // Rucio checks each key: without keys it checks nothing.
  if (key === undefined) return;
  await authorize(context, 'update_account', { account, key });
  const { now, store } = context;
  const change = changeOf(wanted, now);
  if (Object.keys(change).length === 0) {
    await requireAccount(store.table, account);
    return;
  }
  await store.write(async () => [changeAccount(account, { ...change, updatedAt: now }, () => notFound(account))]);
  invalidateAccount(store, account);
}

function changeOf({ status, email, account_type: type }: AccountChange, now: number): Change {
  return {
    ...(status === 'SUSPENDED' ? { status, suspendedAt: now } : {}),
    ...(status === 'ACTIVE' ? { status, suspendedAt: null } : {}),
    ...(email === undefined ? {} : { email }),
    ...(type === undefined ? {} : { type }),
  };
}

/**
 * Sets the status of an account to DELETED; removes nothing (spec/access.md 2.2).
 *
 * @throws AccessDenied (401), AccountNotFound (404) when there is none, or it is deleted.
 */
export async function deleteAccount(context: Context, account: string): Promise<void> {
  await authorize(context, 'del_account', { account });
  const { now, store } = context;
  if (!isAccountName(account)) throw notFound(account);
  const change = { status: 'DELETED', deletedAt: now, updatedAt: now };
  await store.write(async (latest) => {
    const found = await getAccount(latest, account);
    if (found === undefined || found.status === 'DELETED') throw notFound(account);
    return [changeAccount(account, change, () => new LostRace(), { status: found.status })];
  });
  invalidateAccount(store, account);
}

function notFound(account: string): RucioError {
  return new RucioError('AccountNotFound', `Account with ID '${account}' cannot be found`);
}
