import { fail } from '../../errors.ts';
import { getAccount } from '../../store/entities/account.ts';
import { listScopes as listAll, listScopesOf, type Scope } from '../../store/entities/scope.ts';
import type { Context } from '../context.ts';

/** The names of all scopes, in order (spec/dids.md 2.28). */
export async function listScopes(context: Context): Promise<string[]> {
  return (await listScopeOwners(context)).map(({ scope }) => scope);
}

/** All scopes with their accounts, in name order (spec/dids.md 2.28). */
export async function listScopeOwners({ store }: Context): Promise<Scope[]> {
  return Array.fromAsync(listAll(store.table));
}

/**
 * The names of an account's scopes, in order; the account may be suspended or deleted (spec/dids.md 2.28).
 *
 * @param called How the message calls the account: Rucio's two routes differ.
 * @throws AccountNotFound (404); ScopeNotFound (404) when there are none.
 */
export async function listScopesOfAccount(
  { store: { table } }: Context,
  account: string,
  called: 'account' | 'account ID',
): Promise<string[]> {
  if ((await getAccount(table, account)) === undefined) {
    fail('AccountNotFound', `Account ID '${account}' does not exist`);
  }
  const scopes = await Array.fromAsync(listScopesOf(table, account), ({ scope }) => scope);
  return scopes.length > 0 ? scopes : fail('ScopeNotFound', `no scopes found for ${called} '${account}'`);
}
