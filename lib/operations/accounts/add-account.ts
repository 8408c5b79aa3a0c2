import type { NewAccount } from '../../contract/schemas/account.ts';
import { requireAccountName } from '../../domain/accounts/find-account.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail, RucioError } from '../../errors.ts';
import { insertAccount } from '../../store/entities/account.ts';

/**
 * Creates an account; the name of a deleted account stays reserved (spec/access.md 2.2).
 *
 * @throws InvalidObject, UnsupportedAccountName (400), AccessDenied (401), Duplicate (409).
 */
export async function addAccount(
  context: Context,
  { account, type, email }: NewAccount & { readonly account: string },
): Promise<void> {
  requireAccountName(account);
  await authorize(context, 'add_account', {});
  if (account === 'super_root') fail('UnsupportedAccountName', 'The name "super_root" cannot be used.');
  const { now, store } = context;
  const created = {
    account,
    type,
    status: 'ACTIVE',
    email,
    attributes: {},
    createdAt: now,
    updatedAt: now,
    suspendedAt: null,
    deletedAt: null,
  };
  await store.write(async () => [
    insertAccount(created, () => new RucioError('Duplicate', `Account ID '${account}' already exists!`)),
  ]);
}
