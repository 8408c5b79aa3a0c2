import { requireActiveAccount } from '../../domain/accounts/find-account.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { requireValidScopeName } from '../../domain/values/scope-name.ts';
import { RucioError } from '../../errors.ts';
import { requireStillActive } from '../../store/entities/account.ts';
import { insertScope, type Scope } from '../../store/entities/scope.ts';

/**
 * Creates a scope of an account (spec/dids.md 2.28).
 *
 * @throws InvalidObject (400), AccessDenied (401), AccountNotFound (404), Duplicate (409).
 */
export async function addScope(context: Context, { scope, account }: Scope): Promise<void> {
  requireValidScopeName(scope);
  await authorize(context, 'add_scope', {});
  const duplicate = () => new RucioError('Duplicate', `Scope '${scope}' already exists!`);
  await context.store.write(async (latest) => {
    await requireActiveAccount(latest, account, `Account ID '${account}' does not exist`);
    return [insertScope({ scope, account }, context.now, duplicate), requireStillActive(account)];
  });
}
