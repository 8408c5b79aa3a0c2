import type { IdentityLine } from '../../contract/schemas/identity.ts';
import { listAccountsOf, listIdentitiesOf } from '../../store/entities/identity.ts';
import { isEncodablePart } from '../../store/keys.ts';
import { requireActiveAccount } from '../accounts/find-account.ts';
import type { Context } from '../context.ts';
import { parseIdentityType } from './identity-key.ts';

/**
 * The identities that may act for an account (spec/access.md 2.3).
 *
 * @throws AccountNotFound (404), also for a suspended or deleted account.
 */
export async function* listIdentities({ store }: Context, account: string): AsyncGenerator<IdentityLine> {
  await requireActiveAccount(store.table, account, `Account with ID '${account}' cannot be found`);
  for await (const { type, identity, email } of listIdentitiesOf(store.table, account)) {
    yield { type: type as IdentityLine['type'], identity, email };
  }
}

/**
 * The accounts that an identity may act for, whatever their status, in name order; none when it is unknown
 * (spec/access.md 2.5).
 *
 * @param type In any case.
 * @throws ValueError (400) when there is no such type.
 */
export async function listAccountsOfIdentity(
  { store }: Context,
  { identity, type }: { readonly identity: string; readonly type: string },
): Promise<string[]> {
  const key = { identity, type: parseIdentityType(type) };
  return isEncodablePart(identity) ? Array.fromAsync(listAccountsOf(store.table, key)) : [];
}
