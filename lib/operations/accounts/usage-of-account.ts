import type { GlobalUsage, LocalUsage, UsageHistory } from '../../contract/schemas/account-limit.ts';
import { remainingBytes, toBytesLimit } from '../../domain/account-limits/bytes-limit.ts';
import { requireAccountWithLimits } from '../../domain/account-limits/require-account-with-limits.ts';
import { isAccountName } from '../../domain/accounts/find-account.ts';
import { byName, type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { resolveExpression, resolveIfPossible } from '../../domain/rse-expression/resolve-expression.ts';
import { requireRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { addIntegers, type Integer } from '../../integer.ts';
import {
  getGlobalLimit,
  getLocalLimit,
  listGlobalLimits,
  listLocalLimits,
} from '../../store/entities/account-limit.ts';
import {
  type AccountUsage,
  getAccountUsage,
  listAccountUsage,
  listPastUsage,
} from '../../store/entities/account-usage.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { formatIsoDate } from '../../time.ts';

interface Numbers {
  readonly bytes: Integer;
  readonly files: Integer;
}

interface OnRse {
  readonly account: string;
  readonly rse: string;
}
interface OnExpression {
  readonly account: string;
  readonly expression: string;
}

const noUsage: Numbers = { bytes: 0, files: 0 };

/**
 * The usage of an account on every RSE with a limit or usage of the account, by RSE name (spec/access.md 2.4).
 *
 * @throws AccessDenied (401), AccountNotFound (404).
 */
export async function* listUsageOnRses(
  context: Context,
  account: string,
  page: Page = wholeList,
): AsyncGenerator<Placed<LocalUsage>> {
  const { table } = context.store;
  await authorize(context, 'get_local_account_usage', { account });
  await requireAccountWithLimits(table, account);
  const [limits, usages, { all }] = await Promise.all([
    Array.fromAsync(listLocalLimits(table, account)),
    Array.fromAsync(listAccountUsage(table, account)),
    getFleet(table),
  ]);
  const limitOf = new Map(limits.map(({ rseId, bytes }) => [rseId, bytes]));
  const usageOf = new Map(usages.map((usage) => [usage.rseId, usage]));
  const lines = all.flatMap((rse) => localLine(rse, limitOf.get(rse.id), usageOf.get(rse.id)));
  yield* byName(lines, ({ rse }) => rse, page);
}

/**
 * The usage of an account on an RSE; empty without a limit and without usage (spec/access.md 2.4).
 *
 * @throws RSENotFound (404), AccessDenied (401), AccountNotFound (404).
 */
export async function* getUsageOnRse(
  context: Context,
  { account, rse: name }: OnRse,
  page: Page = wholeList,
): AsyncGenerator<Placed<LocalUsage>> {
  const { table } = context.store;
  const rse = await requireRse(table, name);
  await authorize(context, 'get_local_account_usage', { account });
  await requireAccountWithLimits(table, account);
  const [limit, usage] = await Promise.all([
    getLocalLimit(table, account, rse.id),
    getAccountUsage(table, account, rse.id),
  ]);
  yield* byName(localLine(rse, limit, usage), (line) => line.rse, page);
}

function localLine(
  { id, rse }: Pick<Rse, 'id' | 'rse'>,
  limit: Integer | undefined,
  { bytes, files }: Numbers = noUsage,
): LocalUsage[] {
  if (limit === undefined && bytes === 0 && files === 0) return [];
  return [{ rse_id: id, rse, ...describeUsage({ bytes, files }, limit) }];
}

/**
 * The usage of an account on the RSEs of each expression with a limit, by expression (spec/access.md 2.4).
 *
 * @throws AccessDenied (401), AccountNotFound (404).
 */
export async function* listUsageOnExpressions(
  context: Context,
  account: string,
  page: Page = wholeList,
): AsyncGenerator<Placed<GlobalUsage>> {
  const { table } = context.store;
  await authorize(context, 'get_global_account_usage', { account });
  await requireAccountWithLimits(table, account);
  const [limits, usages] = await Promise.all([
    Array.fromAsync(listGlobalLimits(table, account)),
    Array.fromAsync(listAccountUsage(table, account)),
  ]);
  for (const { row, position } of byName(limits, ({ expression }) => expression, page)) {
    const rses = await resolveIfPossible(table, row.expression);
    yield { row: { rse_expression: row.expression, ...describeUsage(sumOn(usages, rses), row.bytes) }, position };
  }
}

/**
 * The usage of an account on the RSEs of an expression, with or without a limit (spec/access.md 2.4).
 *
 * @throws AccessDenied (401), AccountNotFound (404), InvalidRSEExpression (400).
 */
export async function* getUsageOnExpression(
  context: Context,
  { account, expression }: OnExpression,
  page: Page = wholeList,
): AsyncGenerator<Placed<GlobalUsage>> {
  const { table } = context.store;
  await authorize(context, 'get_global_account_usage', { account });
  await requireAccountWithLimits(table, account);
  const [rses, limit, usages] = await Promise.all([
    resolveExpression(table, expression),
    getGlobalLimit(table, account, expression),
    Array.fromAsync(listAccountUsage(table, account)),
  ]);
  const line = { rse_expression: expression, ...describeUsage(sumOn(usages, rses), limit) };
  yield* byName([line], (only) => only.rse_expression, page);
}

function sumOn(usages: readonly AccountUsage[], rses: readonly Rse[]): Numbers {
  const ids = new Set(rses.map(({ id }) => id));
  return usages
    .filter(({ rseId }) => ids.has(rseId))
    .reduce<Numbers>(
      (sum, { bytes, files }) => ({ bytes: addIntegers(sum.bytes, bytes), files: addIntegers(sum.files, files) }),
      noUsage,
    );
}

/** Without a limit, nothing is allowed. */
function describeUsage({ bytes, files }: Numbers, limit: Integer = 0) {
  return { bytes, files, bytes_limit: toBytesLimit(limit), bytes_remaining: remainingBytes(limit, bytes) };
}

/**
 * The usage history of an account on an RSE, by time; empty for an unknown account (spec/access.md 2.3).
 *
 * @throws RSENotFound (404).
 */
export async function* getUsageHistory(
  { store: { table } }: Context,
  { account, rse }: OnRse,
  page: Page = wholeList,
): AsyncGenerator<Placed<UsageHistory[number]>> {
  const { id } = await requireRse(table, rse);
  if (!isAccountName(account)) return;
  const [after] = page.after ?? [];
  const slice = sliceOf(page, after === undefined ? undefined : Number(after));
  for await (const { at, bytes, files } of listPastUsage(table, account, id, slice)) {
    yield placed({ bytes, files, updated_at: formatIsoDate(at) }, String(at));
  }
}
