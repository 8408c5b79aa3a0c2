import type { IdentityLine } from '../../contract/schemas/identity.ts';
import { requireActiveAccount } from '../../domain/accounts/find-account.ts';
import { parseIdentityType } from '../../domain/identities/identity-key.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import type { Context } from '../../domain/values/context.ts';
import { isIdentityText, listAccountsOf, listIdentitiesOf } from '../../store/entities/identity.ts';

/**
 * The identities that are mapped to an account (spec/access.md 2.3).
 *
 * @throws AccountNotFound (404), also for a suspended or deleted account.
 */
export async function* listIdentities(
  { store }: Context,
  account: string,
  page: Page = wholeList,
): AsyncGenerator<Placed<IdentityLine>> {
  await requireActiveAccount(store.table, account, `Account with ID '${account}' cannot be found`);
  const [last = '', text = ''] = page.after ?? [];
  const slice = sliceOf(page, page.after && { type: last, identity: text });
  for await (const { type, identity, email } of listIdentitiesOf(store.table, account, slice)) {
    yield placed({ type: type as IdentityLine['type'], identity, email }, type, identity);
  }
}

/**
 * The accounts to which an identity is mapped, whatever their status, in name order; none for an unknown identity
 * (spec/access.md 2.5).
 *
 * @param type In any case.
 * @throws ValueError (400) when there is no such type.
 */
export async function* listAccountsOfIdentity(
  { store }: Context,
  { identity, type }: { readonly identity: string; readonly type: string },
  page: Page = wholeList,
): AsyncGenerator<Placed<string>> {
  const key = { identity, type: parseIdentityType(type) };
  if (!isIdentityText(identity)) return;
  const [after] = page.after ?? [];
  for await (const account of listAccountsOf(store.table, key, sliceOf(page, after))) yield placed(account, account);
}
