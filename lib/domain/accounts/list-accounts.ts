import type { AccountFilters, AccountLine } from '../../contract/schemas/account.ts';
import { identityTypes } from '../../contract/schemas/identity.ts';
import { type Account, getAccount, getAccounts, listAccounts as listAll } from '../../store/entities/account.ts';
import { listAccountsOf } from '../../store/entities/identity.ts';
import { isEncodablePart } from '../../store/keys.ts';
import type { Table } from '../../store/table.ts';
import type { Context } from '../context.ts';
import { fitsGlob, readGlob } from '../glob.ts';
import { toAttributeValue } from './attributes.ts';

/**
 * The active accounts that pass every filter, in name order (spec/access.md 2.2). Filters by name and by identity read
 * no more than what they find.
 */
export async function* listAccounts({ store }: Context, filters: AccountFilters): AsyncGenerator<AccountLine> {
  const { account: name, account_type: type, identity: _identity, ...attributes } = filters;
  const wanted = Object.entries(attributes).map(([key, value]) => [key, toAttributeValue(value)] as const);
  for await (const account of candidates(store.table, filters)) {
    if (account.status !== 'ACTIVE') continue;
    if (name !== undefined && !fitsGlob(account.account, readGlob(name, /\*/))) continue;
    if (type !== undefined && account.type !== type) continue;
    if (wanted.some(([key, value]) => !Object.hasOwn(account.attributes, key) || account.attributes[key] !== value))
      continue;
    yield { account: account.account, type: account.type as AccountLine['type'], email: account.email };
  }
}

async function* candidates(table: Table, { account: name, identity }: AccountFilters): AsyncGenerator<Account> {
  if (identity !== undefined) {
    if (!isEncodablePart(identity)) return;
    const lists = identityTypes.map((type) => Array.fromAsync(listAccountsOf(table, { type, identity })));
    yield* await getAccounts(table, (await Promise.all(lists)).flat());
  } else if (name !== undefined && !name.includes('*')) {
    const account = await getAccount(table, name);
    if (account !== undefined) yield account;
  } else {
    yield* listAll(table, name?.slice(0, name.indexOf('*')));
  }
}
