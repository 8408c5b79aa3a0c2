import { addIntegers, type Integer } from '../../integer.ts';
import { mapLimited } from '../../parallel.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Insert, Plan } from '../items/plan.ts';
import { attributesReader, isInteger } from '../items/read-attributes.ts';
import { accountKeys, accountUsageOf } from '../keys/account-keys.ts';
import { lastPart } from '../keys/key-parts.ts';
import {
  foldDifferences,
  type FoldSize,
  historyTtl,
  insertDifference,
  makeRaceError,
  newDifferenceId,
  sumOf,
  type UsageDifference,
  type UsageParts,
  versionOf,
} from './usage-difference.ts';

/** The bytes and files that the rules of an account lock. */
interface Usage {
  readonly bytes: Integer;
  readonly files: Integer;
}

/** The usage of an account on an RSE. */
export interface AccountUsage extends Usage {
  readonly rseId: string;
  /** Counts the changes. */
  readonly version: number;
}

/** The past usage of an account on an RSE; `at` in milliseconds since 1970. */
export interface PastUsage extends Usage {
  readonly at: number;
}

const readUsage = attributesReader<Usage>({ bytes: isInteger, files: isInteger });

/** The most accounts that are queried in parallel. */
const maxParallelQueries = 32;

/** The usage of an account on an RSE; undefined if it never had any. */
export async function getAccountUsage(table: Table, account: string, rseId: string): Promise<AccountUsage | undefined> {
  const items = await Array.fromAsync(table.query(rangeOf(account, rseId)));
  return items.length === 0 ? undefined : toUsage(rseId, items);
}

/** The usage of many accounts on an RSE, by account; accounts without usage are left out. One query per account. */
export async function getAccountUsages(
  table: Table,
  accounts: readonly string[],
  rseId: string,
): Promise<ReadonlyMap<string, AccountUsage>> {
  const usages = await mapLimited(accounts, maxParallelQueries, (account) => getAccountUsage(table, account, rseId));
  return new Map(accounts.flatMap((account, index) => (usages[index] === undefined ? [] : [[account, usages[index]]])));
}

/** The usage of an account on every RSE on which it ever had any. */
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
    yield { at: Number(lastPart(item)), ...readUsage(item) };
  }
}

/** The write that inserts the usage of an account on an RSE; `now` in milliseconds since 1970. */
export function insertAccountUsage(account: string, rseId: string, { bytes, files }: Usage, now: number): Insert {
  const item = { ...accountKeys.usage(account, rseId), bytes, files, updatedAt: now, rev: 1 };
  return { kind: 'insert', item, onExists: makeRaceError };
}

/** The write that inserts past usage of an account on an RSE. */
export function insertPastUsage(account: string, rseId: string, { at, bytes, files }: PastUsage): Insert {
  const item = { ...accountKeys.usageAt(account, rseId, at), bytes, files, ttl: historyTtl(at) };
  return { kind: 'insert', item, onExists: makeRaceError };
}

/** The write that changes the usage of an account on an RSE. */
export function insertAccountUsageDifference(account: string, rseId: string, difference: UsageDifference): Insert {
  return insertDifference(accountKeys.usageDifference(account, rseId, newDifferenceId()), difference);
}

/**
 * The writes that fold the differences of an account on an RSE into their sum; none if there are none.
 *
 * @param size How many differences are folded together.
 */
export async function foldAccountUsage(
  latest: Table,
  account: string,
  rseId: string,
  { max, min }: FoldSize,
): Promise<Plan> {
  const { items } = await latest.page({ ...rangeOf(account, rseId), pageSize: max + 1 });
  return foldDifferences(toParts(items), min, {
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
  const { bytes, files } = parts.sum === undefined ? { bytes: 0, files: 0 } : readUsage(parts.sum);
  const pending = sumOf(parts.differences);
  return {
    rseId,
    bytes: addIntegers(bytes, pending.bytes),
    files: addIntegers(files, pending.files),
    version: versionOf(parts),
  };
}
