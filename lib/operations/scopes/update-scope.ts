import { requireAccount } from '../../domain/accounts/find-account.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { invalidateScope } from '../../domain/permission/facts.ts';
import type { Context } from '../../domain/values/context.ts';
import { isScopeName } from '../../domain/values/scope-name.ts';
import { RucioError } from '../../errors.ts';
import { changeScopeOwner, type Scope } from '../../store/entities/scope.ts';

/**
 * Changes the owner of a scope (spec/dids.md 2.28).
 *
 * @throws AccessDenied (401), AccountNotFound, ScopeNotFound (404).
 */
export async function updateScope(context: Context, { scope, account }: Scope): Promise<void> {
  await authorize(context, 'update_scope', { scope });
  const { store, now } = context;
  await requireAccount(store.table, account);
  // The message is Rucio's.
  const notFound = () => new RucioError('ScopeNotFound', 'None');
  if (!isScopeName(scope)) throw notFound();
  await store.write(async () => [changeScopeOwner({ scope, account }, now, notFound)]);
  invalidateScope(store, scope);
}
