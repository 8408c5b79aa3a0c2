import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import { getAccount } from '../../store/entities/account.ts';
import { listScopes, listScopesOf, type Scope } from '../../store/entities/scope.ts';

/** The names of all scopes, in order (spec/dids.md 2.28). */
export async function* listScopeNames(context: Context, page: Page = wholeList): AsyncGenerator<Placed<string>> {
  for await (const { row, position } of listScopeOwners(context, page)) yield { row: row.scope, position };
}

/** All scopes with their accounts, in name order (spec/dids.md 2.28). */
export async function* listScopeOwners({ store }: Context, page: Page = wholeList): AsyncGenerator<Placed<Scope>> {
  const [after] = page.after ?? [];
  for await (const scope of listScopes(store.table, sliceOf(page, after))) yield placed(scope, scope.scope);
}

/**
 * The names of an account's scopes, in order; the account may be suspended or deleted (spec/dids.md 2.28).
 *
 * @param called The name of the account in the message: Rucio's two routes differ.
 * @throws AccountNotFound (404); ScopeNotFound (404) when there are none.
 */
export async function* listScopesOfAccount(
  { store: { table } }: Context,
  account: string,
  called: 'account' | 'account ID',
  page: Page = wholeList,
): AsyncGenerator<Placed<string>> {
  if ((await getAccount(table, account)) === undefined) {
    fail('AccountNotFound', `Account ID '${account}' does not exist`);
  }
  const [after] = page.after ?? [];
  let empty = after === undefined;
  for await (const { scope } of listScopesOf(table, account, sliceOf(page, after))) {
    empty = false;
    yield placed(scope, scope);
  }
  if (empty) fail('ScopeNotFound', `no scopes found for ${called} '${account}'`);
}
