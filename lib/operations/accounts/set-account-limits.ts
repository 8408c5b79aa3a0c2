import { requireAccountWithLimits } from '../../domain/account-limits/require-account-with-limits.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { resolveExpression, resolveIfPossible } from '../../domain/rse-expression/resolve-expression.ts';
import { requireRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import type { Integer } from '../../integer.ts';
import {
  deleteGlobalLimit,
  deleteLocalLimit,
  setGlobalLimit,
  setLocalLimit,
} from '../../store/entities/account-limit.ts';
import { requireStillActive } from '../../store/entities/account.ts';

interface OnRse {
  readonly account: string;
  readonly rse: string;
}

interface OnExpression {
  readonly account: string;
  readonly expression: string;
}

/** The length of Rucio's column. */
const maxExpressionLength = 3000;

/**
 * Sets how many bytes an account may use of an RSE; -1 is no limit (spec/access.md 2.4).
 *
 * @throws RSENotFound (404), AccessDenied (401), AccountNotFound (404).
 */
export async function setLimitOnRse(
  context: Context,
  { account, rse: name, bytes }: OnRse & { readonly bytes: Integer },
): Promise<void> {
  const rse = await requireRse(context.store.table, name);
  await authorize(context, 'set_local_account_limit', { rses: async () => [rse] });
  const { id: rseId } = rse;
  await context.store.write(async (latest) => {
    await requireAccountWithLimits(latest, account);
    return [await setLocalLimit(latest, account, { rseId, bytes }), requireStillActive(account)];
  });
}

/**
 * Deletes the limit of an account on an RSE, if there is one (spec/access.md 2.4).
 *
 * @throws RSENotFound (404), AccessDenied (401), AccountNotFound (404).
 */
export async function deleteLimitOnRse(context: Context, { account, rse: name }: OnRse): Promise<void> {
  const rse = await requireRse(context.store.table, name);
  await authorize(context, 'delete_local_account_limit', { rses: async () => [rse] });
  const { id } = rse;
  await context.store.write(async (latest) => {
    await requireAccountWithLimits(latest, account);
    return deleteLocalLimit(latest, account, id);
  });
}

/**
 * Sets how many bytes an account may use of the RSEs of an expression together, which must name one: otherwise nobody would notice that
 * nothing is limited (spec/access.md 2.4).
 *
 * @throws AccessDenied (401), InvalidObject, InvalidRSEExpression (400), AccountNotFound (404).
 */
export async function setLimitOnExpression(
  context: Context,
  { account, expression, bytes }: OnExpression & { readonly bytes: Integer },
): Promise<void> {
  await authorize(context, 'set_global_account_limit', {
    rses: () => resolveIfPossible(context.store.table, expression),
  });
  if (expression.length > maxExpressionLength) {
    fail('InvalidObject', `Problem validating rse_expression: it is longer than ${maxExpressionLength} characters`);
  }
  await resolveExpression(context.store.table, expression);
  await context.store.write(async (latest) => {
    await requireAccountWithLimits(latest, account);
    return [await setGlobalLimit(latest, account, { expression, bytes }), requireStillActive(account)];
  });
}

/**
 * Deletes the limit of an account on an expression, if there is one (spec/access.md 2.4).
 *
 * @throws AccessDenied (401), AccountNotFound (404).
 */
export async function deleteLimitOnExpression(context: Context, { account, expression }: OnExpression): Promise<void> {
  await authorize(context, 'delete_global_account_limit', {
    rses: () => resolveIfPossible(context.store.table, expression),
  });
  await context.store.write(async (latest) => {
    await requireAccountWithLimits(latest, account);
    return deleteGlobalLimit(latest, account, expression);
  });
}
