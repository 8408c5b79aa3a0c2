import { addIntegers, type Integer } from '../../integer.ts';
import { mapLimited } from '../../parallel.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Insert, Plan } from '../items/plan.ts';
import { accountKeys, accountUsageOf } from '../keys/account-keys.ts';
import { lastPart } from '../keys/key-parts.ts';
import {
  foldDifferences,
  type FoldSize,
  insertDifference,
  newDifferenceId,
  sumOf,
  type UsageDifference,
  type UsageParts,
  versionOf,
} from './usage-difference.ts';

/** What the rules of an account hold. */
interface Usage {
  readonly bytes: Integer;
  readonly files: Integer;
}

/** What the rules of an account hold on an RSE. */
export interface AccountUsage extends Usage {
  readonly rseId: string;
  /** Counts the changes. */
  readonly version: number;
}

/** What the rules of an account held on an RSE at a time, in milliseconds since 1970. */
export interface PastUsage extends Usage {
  readonly at: number;
}

/** Accounts that are asked at once. */
const parallel = 32;

/** The usage of an account on an RSE; undefined where it never used any. */
export async function getAccountUsage(table: Table, account: string, rseId: string): Promise<AccountUsage | undefined> {
  const items = await Array.fromAsync(table.query(rangeOf(account, rseId)));
  return items.length === 0 ? undefined : toUsage(rseId, items);
}

/** The usage of many accounts on an RSE, by account; those that never used any are left out. A query for each. */
export async function getAccountUsages(
  table: Table,
  accounts: readonly string[],
  rseId: string,
): Promise<ReadonlyMap<string, AccountUsage>> {
  const usages = await mapLimited(accounts, parallel, (account) => getAccountUsage(table, account, rseId));
  return new Map(accounts.flatMap((account, index) => (usages[index] === undefined ? [] : [[account, usages[index]]])));
}

/** The usage of an account on every RSE that it ever used. */
export async function* listAccountUsage(table: Table, account: string): AsyncGenerator<AccountUsage> {
  let items: Item[] = [];
  let current = '';
  for await (const item of table.query({ pk: accountKeys.account(account).PK, ...accountKeys.usages })) {
    const { rseId } = accountUsageOf(item);
    if (rseId !== current && items.length > 0) {
      yield toUsage(current, items);
      items = [];
    }
    current = rseId;
    items.push(item);
  }
  if (items.length > 0) yield toUsage(current, items);
}

/** The past usage of an account on an RSE, by time; `slice` by time. */
export async function* listPastUsage(
  table: Table,
  account: string,
  rseId: string,
  { after, pageSize }: Slice<number> = {},
): AsyncGenerator<PastUsage> {
  const { SK } = after === undefined ? {} : accountKeys.usageAt(account, rseId, after);
  const range = { pk: accountKeys.account(account).PK, ...accountKeys.usageHistory(rseId), after: SK, pageSize };
  for await (const item of table.query(range)) {
    const { bytes, files } = item as unknown as Usage;
    yield { at: Number(lastPart(item)), bytes, files };
  }
}

/** The write that changes what an account uses of an RSE. */
export function insertAccountUsageDifference(account: string, rseId: string, difference: UsageDifference): Insert {
  return insertDifference(accountKeys.usageDifference(account, rseId, newDifferenceId()), difference);
}

/**
 * The writes that fold differences of an account on an RSE into their sum; none where there are none.
 *
 * @param size Differences that are folded together.
 */
export async function foldAccountUsage(
  latest: Table,
  account: string,
  rseId: string,
  { most, fewest }: FoldSize,
): Promise<Plan> {
  const { items } = await latest.page({ ...rangeOf(account, rseId), pageSize: most + 1 });
  return foldDifferences(toParts(items), fewest, {
    key: accountKeys.usage(account, rseId),
    bytes: 'bytes',
    rest: {},
    past: (at) => accountKeys.usageAt(account, rseId, at),
  });
}

const rangeOf = (account: string, rseId: string) => ({
  pk: accountKeys.account(account).PK,
  ...accountKeys.usageOn(rseId),
});

function toParts(items: readonly Item[]): UsageParts {
  return {
    sum: items.find((item) => !accountUsageOf(item).difference),
    differences: items.filter((item) => accountUsageOf(item).difference),
  };
}

function toUsage(rseId: string, items: readonly Item[]): AccountUsage {
  const parts = toParts(items);
  const { bytes = 0, files = 0 } = (parts.sum ?? {}) as Partial<Usage>;
  const more = sumOf(parts.differences);
  return {
    rseId,
    bytes: addIntegers(bytes, more.bytes),
    files: addIntegers(files, more.files),
    version: versionOf(parts),
  };
}
