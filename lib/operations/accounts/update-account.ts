import type { AccountChange } from '../../contract/schemas/account.ts';
import { checkAccountName, isAccountName, requireAccount } from '../../domain/accounts/find-account.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { forgetFact } from '../../domain/permission/facts.ts';
import type { Context } from '../../domain/values/context.ts';
import { RucioError } from '../../errors.ts';
import { type Account, changeAccount } from '../../store/entities/account.ts';

type Change = Partial<Pick<Account, 'status' | 'email' | 'type' | 'suspendedAt'>>;

/**
 * Suspends or revives an account, or changes its e-mail address or type; all at once. Other keys, and the status
 * DELETED, have no effect (spec/access.md 2.2).
 *
 * @throws InvalidObject (400), AccessDenied (401), AccountNotFound (404).
 */
export async function updateAccount(context: Context, account: string, wanted: AccountChange): Promise<void> {
  checkAccountName(account);
  const [key] = Object.keys(wanted);
  // Rucio goes through the keys one by one: without one it looks at nothing.
  if (key === undefined) return;
  await authorize(context, 'update_account', { key });
  const { now, store } = context;
  const change = changeOf(wanted, now);
  if (Object.keys(change).length === 0) {
    await requireAccount(store.table, account);
    return;
  }
  await store.write(async () => [changeAccount(account, { ...change, updatedAt: now }, () => notFound(account))]);
  forgetFact('account', account);
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
 * Gives an account the status DELETED; nothing of it is removed (spec/access.md 2.2).
 *
 * @throws AccessDenied (401), AccountNotFound (404) when it is not active.
 */
export async function deleteAccount(context: Context, account: string): Promise<void> {
  await authorize(context, 'del_account', {});
  const { now, store } = context;
  if (!isAccountName(account)) throw notFound(account);
  const change = { status: 'DELETED', deletedAt: now, updatedAt: now };
  await store.write(async () => [changeAccount(account, change, () => notFound(account), { status: 'ACTIVE' })]);
  forgetFact('account', account);
}

function notFound(account: string): RucioError {
  return new RucioError('AccountNotFound', `Account with ID '${account}' cannot be found`);
}
