import { listLocalLimits } from '../../lib/store/entities/account-limit.ts';
import { listAccountUsage } from '../../lib/store/entities/account-usage.ts';
import { listAccounts } from '../../lib/store/entities/account.ts';
import { listRses } from '../../lib/store/entities/rse.ts';
import type { Store } from '../../lib/store/open-store.ts';
import type { Column } from '../../local/jobs/commands/report-options.ts';

/** What an account uses on an RSE, and may use there. */
export interface Usage extends Readonly<Record<Column, string>> {
  readonly files: bigint;
  readonly bytes: bigint;
  /** -1: without bound; undefined: it may have no rules there. */
  readonly limit: bigint | undefined;
}

/** The usage and the limits of all accounts, also of what is used no more, in the order of accounts and RSEs. */
export async function usageOf(store: Store, groupAttribute: string): Promise<Usage[]> {
  const { table } = store.begin();
  const rses = new Map((await Array.fromAsync(listRses(table))).map(({ id, rse }) => [id, rse]));
  const rows: Usage[] = [];
  for await (const { account, attributes } of listAccounts(table)) {
    const group = String(attributes[groupAttribute] ?? '');
    const limits = new Map<string, bigint>();
    for await (const { rseId, bytes } of listLocalLimits(table, account)) limits.set(rseId, BigInt(bytes));
    const used = new Map<string, { readonly files: bigint; readonly bytes: bigint }>();
    for await (const { rseId, files, bytes } of listAccountUsage(table, account)) {
      used.set(rseId, { files: BigInt(files), bytes: BigInt(bytes) });
    }
    const own: Usage[] = [];
    for (const id of new Set([...used.keys(), ...limits.keys()])) {
      const { files, bytes } = used.get(id) ?? { files: 0n, bytes: 0n };
      own.push({ account, group, rse: rses.get(id) ?? id, files, bytes, limit: limits.get(id) });
    }
    rows.push(...own.toSorted((a, b) => (a.rse < b.rse ? -1 : 1)));
  }
  return rows;
}

/** Sums by columns: those, then files, bytes and the limit. */
export function sumUsage(usage: readonly Usage[], by: readonly Column[]): (string | bigint)[][] {
  const sums = new Map<string, Usage>();
  for (const row of usage) {
    const key = JSON.stringify(by.map((column) => row[column]));
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? row : add(sum, row));
  }
  return [...sums.values()].map((row) =>
    by.map((column): string | bigint => row[column]).concat(row.files, row.bytes, row.limit ?? ''),
  );
}

function add(sum: Usage, row: Usage): Usage {
  return {
    ...sum,
    files: sum.files + row.files,
    bytes: sum.bytes + row.bytes,
    limit: addLimits(sum.limit, row.limit),
  };
}

function addLimits(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < 0n || other < 0n ? -1n : one + other;
}
