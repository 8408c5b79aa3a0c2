import type { GlobalLimits, Limit, Limits } from '../../contract/schemas/account-limit.ts';
import { toBytesLimit } from '../../domain/account-limits/bytes-limit.ts';
import { requireAccountWithLimits } from '../../domain/account-limits/require-account-with-limits.ts';
import { resolveIfPossible } from '../../domain/rse-expression/resolve-expression.ts';
import { requireRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import type { Integer } from '../../integer.ts';
import {
  getGlobalLimit,
  getLocalLimit,
  listGlobalLimits,
  listLocalLimits,
} from '../../store/entities/account-limit.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';

/**
 * The limits of an account on single RSEs, by RSE name (spec/access.md 2.4).
 *
 * @throws AccountNotFound (404).
 */
export async function listLimitsOnRses({ store: { table } }: Context, account: string): Promise<Limits> {
  await requireAccountWithLimits(table, account);
  const [limits, { byId }] = await Promise.all([Array.fromAsync(listLocalLimits(table, account)), getFleet(table)]);
  return Object.fromEntries(
    limits.flatMap(({ rseId, bytes }) => {
      const rse = byId.get(rseId)?.rse;
      return rse === undefined ? [] : [[rse, toBytesLimit(bytes)]];
    }),
  );
}

/**
 * The limit of an account on an RSE; null without one (spec/access.md 2.4).
 *
 * @throws RSENotFound, AccountNotFound (404).
 */
export async function getLimitOnRse(
  { store: { table } }: Context,
  { account, rse }: { readonly account: string; readonly rse: string },
): Promise<Limit> {
  const { id } = await requireRse(table, rse);
  await requireAccountWithLimits(table, account);
  return { [rse]: optionalLimit(await getLocalLimit(table, account, id)) };
}

/**
 * The limits of an account on expressions, each with its current RSEs; none if the expression cannot be evaluated
 * (spec/access.md 2.4).
 *
 * @throws AccountNotFound (404).
 */
export async function listLimitsOnExpressions({ store: { table } }: Context, account: string): Promise<GlobalLimits> {
  await requireAccountWithLimits(table, account);
  const limits = await Array.fromAsync(listGlobalLimits(table, account));
  const entries = limits.map(async ({ expression, bytes }) => {
    const rses = await resolveIfPossible(table, expression);
    const resolved = { resolved_rses: rses.map(({ rse }) => rse), resolved_rse_ids: rses.map(({ id }) => id) };
    return [expression, { ...resolved, limit: toBytesLimit(bytes) }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * The limit of an account on an expression, by its exact text; null without one (spec/access.md 2.4).
 *
 * @throws AccountNotFound (404).
 */
export async function getLimitOnExpression(
  { store: { table } }: Context,
  { account, expression }: { readonly account: string; readonly expression: string },
): Promise<Limit> {
  await requireAccountWithLimits(table, account);
  return { [expression]: optionalLimit(await getGlobalLimit(table, account, expression)) };
}

function optionalLimit(bytes: Integer | undefined) {
  return bytes === undefined ? null : toBytesLimit(bytes);
}
