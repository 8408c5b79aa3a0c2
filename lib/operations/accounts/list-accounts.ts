import { chunksOf } from '../../chunks.ts';
import type { AccountFilters, AccountLine } from '../../contract/schemas/account.ts';
import { identityTypes } from '../../contract/schemas/identity.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import type { Context } from '../../domain/values/context.ts';
import { matchesGlob, readGlob } from '../../domain/values/glob.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Account, getAccount, getAccounts, listAccounts } from '../../store/entities/account.ts';
import { listAccountsOf, isIdentityText } from '../../store/entities/identity.ts';
import { toAttributeValue } from './account-attributes.ts';

/**
 * The active accounts that match every filter, in name order (spec/access.md 2.2). With a filter by name or identity only
 * matching accounts are read.
 */
export async function* listActiveAccounts(
  { store }: Context,
  filters: AccountFilters,
  page: Page = wholeList,
): AsyncGenerator<Placed<AccountLine>> {
  const { account: name, account_type: type, identity: _identity, ...attributes } = filters;
  const wanted = Object.entries(attributes).map(([key, value]) => [key, toAttributeValue(value)] as const);
  for await (const account of readCandidates(store.table, filters, page)) {
    if (account.status !== 'ACTIVE') continue;
    if (name !== undefined && !matchesGlob(account.account, readGlob(name, /\*/))) continue;
    if (type !== undefined && account.type !== type) continue;
    if (wanted.some(([key, value]) => !Object.hasOwn(account.attributes, key) || account.attributes[key] !== value))
      continue;
    const line = { account: account.account, type: account.type as AccountLine['type'], email: account.email };
    yield placed(line, account.account);
  }
}

async function* readCandidates(
  table: Table,
  { account: name, identity }: AccountFilters,
  page: Page,
): AsyncGenerator<Account> {
  const [after] = page.after ?? [];
  const slice = sliceOf(page, after);
  if (identity !== undefined) {
    if (!isIdentityText(identity)) return;
    const lists = identityTypes.map((type) => Array.fromAsync(listAccountsOf(table, { type, identity }, { after })));
    const names = [...new Set((await Promise.all(lists)).flat())].toSorted();
    for (const chunk of chunksOf(names, Math.min(slice.pageSize ?? 100, 100))) yield* await getAccounts(table, chunk);
  } else if (name !== undefined && !name.includes('*')) {
    const account = after === undefined ? await getAccount(table, name) : undefined;
    if (account !== undefined) yield account;
  } else {
    yield* listAccounts(table, name?.slice(0, name.indexOf('*')), slice);
  }
}
