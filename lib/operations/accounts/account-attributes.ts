import { type Attribute } from '../../contract/schemas/account.ts';
import { accountAttribute } from '../../contract/schemas/names.ts';
import { isAccountName, requireActiveAccount } from '../../domain/accounts/find-account.ts';
import { byName, type Page, type Placed, wholeList } from '../../domain/paging/page.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { invalidateAccount } from '../../domain/permission/facts.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail, RucioError } from '../../errors.ts';
import { type AttributeValue, deleteAttribute, getAccount, insertAttribute } from '../../store/entities/account.ts';

/** The key of an attribute. */
interface AttributeKey {
  readonly account: string;
  readonly key: string;
}

const unknownAccount = (account: string) => `Account ID '${account}' does not exist`;

/** The stored value of an attribute: true and false, in any case, are booleans, numbers are texts (spec/access.md 2.3). */
export function toAttributeValue(value: string | boolean | number | null): AttributeValue {
  if (value === null || typeof value === 'boolean') return value;
  const text = String(value);
  const lower = text.toLowerCase();
  return lower === 'true' || lower === 'false' ? lower === 'true' : text;
}

/**
 * The attributes of an account in the order of their keys (spec/access.md 2.3).
 *
 * @throws AccountNotFound (404), also for a suspended or deleted account.
 */
export async function listAccountAttributes(
  { store }: Context,
  account: string,
  page: Page = wholeList,
): Promise<Iterable<Placed<Attribute>>> {
  const { attributes } = await requireActiveAccount(store.table, account, unknownAccount(account));
  const rows = Object.entries(attributes).map(([key, value]) => ({ key, value: value ?? null }));
  return byName(rows, ({ key }) => key, page);
}

/**
 * Adds an attribute to an account (spec/access.md 2.3).
 *
 * @throws InvalidObject (400), AccessDenied (401), AccountNotFound (404), Duplicate (409).
 */
export async function addAccountAttribute(
  context: Context,
  { account, key, value }: AttributeKey & { readonly value: string | false | 0 | null },
): Promise<void> {
  const valid = accountAttribute.safeParse(key);
  if (!valid.success) fail('InvalidObject', `Problem validating account_attribute: ${valid.error.issues[0]?.message}`);
  await authorize(context, 'add_attribute', { account });
  if (!isAccountName(account)) fail('AccountNotFound', unknownAccount(account));
  const write = insertAttribute(account, { key, value: toAttributeValue(value) }, (existing) =>
    existing?.status === 'ACTIVE'
      ? new RucioError('Duplicate', `Key ${key} already exist for account ${account}!`)
      : new RucioError('AccountNotFound', unknownAccount(account)),
  );
  await context.store.write(async () => [write]);
  invalidateAccount(context.store, account);
}

/**
 * Removes an attribute from an account (spec/access.md 2.3).
 *
 * @throws AccessDenied (401), AccountNotFound (404) when there is no such attribute or account.
 */
export async function deleteAccountAttribute(context: Context, { account, key }: AttributeKey): Promise<void> {
  await authorize(context, 'del_attribute', { account });
  await context.store.write(async (latest) => {
    const { attributes = {} } = (await getAccount(latest, account)) ?? {};
    const value = Object.hasOwn(attributes, key) ? attributes[key] : undefined;
    if (value === undefined) fail('AccountNotFound', `Attribute (${key}) does not exist for the account ${account}!`);
    return [deleteAttribute(account, { key, value })];
  });
  invalidateAccount(context.store, account);
}
