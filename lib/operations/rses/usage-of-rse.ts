import type {
  AccountShare,
  NewRseUsage,
  PastUsageLine,
  UsageFilters,
  UsageLine,
} from '../../contract/schemas/rse-usage.ts';
import { listAccountChunks } from '../../domain/accounts/list-account-chunks.ts';
import { byName, type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { requireRse, requireRseId } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { addIntegers, type Integer } from '../../integer.ts';
import type { Table } from '../../store/batches/table.ts';
import { getAccountUsages } from '../../store/entities/account-usage.ts';
import {
  getRseUsage,
  listAllPastRseUsages,
  listPastRseUsages,
  listRseUsages,
  ownSource,
  type RseUsage,
  setRseUsage,
} from '../../store/entities/rse-usage.ts';
import { formatDate } from '../../time.ts';

/**
 * The usage of an RSE, live or disabled, by source (spec/rses.md 1.24, 7.1).
 *
 * @throws RSENotFound (404).
 */
export async function* listUsageOfRse(
  { store: { table } }: Context,
  name: string,
  { source = '', per_account: perAccount }: UsageFilters,
  page: Page = wholeList,
): AsyncGenerator<Placed<UsageLine>> {
  const id = await requireRseId(table, name);
  const usages = source === '' ? await listRseUsages(table, id) : [await getRseUsage(table, id, source)];
  const present = usages.filter((usage) => usage !== undefined);
  for (const { row: usage, position } of byName(present, (each) => each.source, page)) {
    const { updatedAt, ...numbers } = usage;
    const total = totalOf(usage);
    const line = {
      rse_id: id,
      rse: name,
      ...numbers,
      total,
      updated_at: formatDate(updatedAt),
      ...(perAccount && usage.source === ownSource ? { account_usages: await sharesOf(table, id, total) } : {}),
    };
    yield { row: line, position };
  }
}

/** The accounts with usage, the largest first. */
async function sharesOf(table: Table, rseId: string, total: Integer): Promise<AccountShare[]> {
  const shares: AccountShare[] = [];
  for await (const accounts of listAccountChunks(table)) {
    for (const [account, { bytes }] of await getAccountUsages(table, accounts, rseId)) {
      if (bytes !== 0) shares.push({ used: bytes, account, percentage: percentage(bytes, total) });
    }
  }
  return shares.toSorted((a, b) => (a.used > b.used ? -1 : a.used < b.used ? 1 : 0));
}

function percentage(used: Integer, total: Integer): number {
  return total === 0 ? 0 : Number(((Number(used) / Number(total)) * 100).toFixed(2));
}

/**
 * Sets the usage of an RSE, live or disabled, for a source. Absent members become unknown. A change is added to the
 * history (spec/rses.md 1.25).
 *
 * @throws RSENotFound (404), AccessDenied (401), InvalidObject (400) for a source that is too long.
 */
export async function recordRseUsage(context: Context, name: string, usage: NewRseUsage): Promise<void> {
  await context.store.write(async (latest) => {
    const id = await requireRseId(latest, name);
    await authorize(context, 'set_rse_usage', {
      rse: name,
      rses: async () => [await requireRse(latest, name)],
    });
    return setRseUsage(latest, id, usage, context.now);
  });
}

/**
 * The usage history of an RSE, live or disabled, newest first (spec/rses.md 1.26, 7.2).
 *
 * @param source Absent or empty: all.
 * @throws RSENotFound (404).
 */
export async function* listUsageHistoryOfRse(
  { store: { table } }: Context,
  name: string,
  { source = '' }: { readonly source?: string | undefined },
  page: Page = wholeList,
): AsyncGenerator<Placed<PastUsageLine>> {
  const id = await requireRseId(table, name);
  const [at, last = ''] = page.after ?? [];
  const after = at === undefined ? undefined : { at: Number(at), source: last };
  const past =
    source === ''
      ? listAllPastRseUsages(table, id, sliceOf(page, after))
      : listPastRseUsages(table, id, source, sliceOf(page, after?.at));
  for await (const usage of past) {
    const line = {
      rse_id: id,
      rse: name,
      source: usage.source,
      used: usage.used ?? 0,
      free: usage.free ?? 0,
      total: totalOf(usage),
      ...(usage.files === null ? {} : { files: usage.files }),
      updated_at: formatDate(usage.at),
    };
    yield placed(line, String(usage.at), usage.source);
  }
}

function totalOf({ used, free }: Pick<RseUsage, 'used' | 'free'>): Integer {
  return addIntegers(used ?? 0, free ?? 0);
}
