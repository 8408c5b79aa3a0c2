import type { Integer } from '../../integer.ts';
import type { Item } from '../item.ts';
import { accountOf, keys, lastPart } from '../keys.ts';
import type { Slice, Table } from '../table.ts';

/** What the rules of an account hold. */
interface Usage {
  readonly bytes: Integer;
  readonly files: Integer;
}

/** What the rules of an account hold on an RSE. */
export interface AccountUsage extends Usage {
  readonly rseId: string;
}

/** What the rules of an account held on an RSE at a time, in milliseconds since 1970. */
export interface PastUsage extends Usage {
  readonly at: number;
}

/** The usage of an account on an RSE; undefined where it never used any. */
export async function getAccountUsage(table: Table, account: string, rseId: string): Promise<AccountUsage | undefined> {
  const item = await table.get(keys.accountUsage(account, rseId));
  return item === undefined ? undefined : { rseId, ...toUsage(item) };
}

/** The usage of many accounts on an RSE, by account; those that never used any are left out. */
export async function getAccountUsages(
  table: Table,
  accounts: readonly string[],
  rseId: string,
): Promise<ReadonlyMap<string, Usage>> {
  const items = await table.getMany(accounts.map((account) => keys.accountUsage(account, rseId)));
  return new Map(items.map((item) => [accountOf(item), toUsage(item)]));
}

/** The usage of an account on every RSE that it ever used. */
export async function* listAccountUsage(table: Table, account: string): AsyncGenerator<AccountUsage> {
  for await (const item of table.query({ pk: keys.account(account).PK, ...keys.accountUsages })) {
    yield { rseId: lastPart(item), ...toUsage(item) };
  }
}

/** The past usage of an account on an RSE, by time; `slice` by time. */
export async function* listPastUsage(
  table: Table,
  account: string,
  rseId: string,
  { after, pageSize }: Slice<number> = {},
): AsyncGenerator<PastUsage> {
  const { SK } = after === undefined ? {} : keys.accountUsageAt(account, rseId, after);
  const range = { pk: keys.account(account).PK, ...keys.accountUsageHistory(rseId), after: SK, pageSize };
  for await (const item of table.query(range)) {
    yield { at: Number(lastPart(item)), ...toUsage(item) };
  }
}

function toUsage(item: Item): Usage {
  const { bytes, files } = item as unknown as Usage;
  return { bytes, files };
}
