import { RucioError } from '../../errors.ts';
import { changeScopeOwner, type Scope } from '../../store/entities/scope.ts';
import { requireAccount } from '../accounts/find-account.ts';
import { authorize } from '../authorize.ts';
import type { Context } from '../context.ts';
import { forgetFact } from '../facts.ts';
import { isScopeName } from './scope-name.ts';

/**
 * Gives a scope to another account (spec/dids.md 2.28).
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
  forgetFact('scope', scope);
}
