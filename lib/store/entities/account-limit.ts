import type { Integer } from '../../integer.ts';
import type { Table } from '../batches/table.ts';
import { LostRace, type Plan, type Write } from '../items/plan.ts';
import { accountKeys, accountOf } from '../keys/account-keys.ts';
import { type Key, lastPart } from '../keys/key-parts.ts';

/** How much an account may use of one RSE; -1 bytes are no limit. */
export interface LocalLimit {
  readonly rseId: string;
  readonly bytes: Integer;
}

/** How much an account may use of the RSEs of an expression together; -1 bytes are no limit. */
export interface GlobalLimit {
  readonly expression: string;
  readonly bytes: Integer;
}

/** The limit of an account on an RSE, in bytes. */
export async function getLocalLimit(table: Table, account: string, rseId: string): Promise<Integer | undefined> {
  return (await table.get(accountKeys.localLimit(account, rseId)))?.['bytes'] as Integer | undefined;
}

/** The limits of many accounts on an RSE, in bytes, by account; those that have none are left out. */
export async function getLocalLimits(
  table: Table,
  accounts: readonly string[],
  rseId: string,
): Promise<ReadonlyMap<string, Integer>> {
  const items = await table.getMany(accounts.map((account) => accountKeys.localLimit(account, rseId)));
  return new Map(items.map((item) => [accountOf(item), item['bytes'] as Integer]));
}

/** The limits of an account on single RSEs. */
export async function* listLocalLimits(table: Table, account: string): AsyncGenerator<LocalLimit> {
  for await (const item of table.query({ pk: accountKeys.account(account).PK, ...accountKeys.localLimits })) {
    yield { rseId: lastPart(item), bytes: item['bytes'] as Integer };
  }
}

/** The limit of an account on an expression, by its exact text, in bytes. */
export async function getGlobalLimit(table: Table, account: string, expression: string): Promise<Integer | undefined> {
  return (await table.get(accountKeys.globalLimit(account, expression)))?.['bytes'] as Integer | undefined;
}

/** The limits of an account on expressions, in no particular order. */
export async function* listGlobalLimits(table: Table, account: string): AsyncGenerator<GlobalLimit> {
  for await (const item of table.query({ pk: accountKeys.account(account).PK, ...accountKeys.globalLimits })) {
    yield { expression: String(item['expression']), bytes: item['bytes'] as Integer };
  }
}

/** The write that sets a limit on an RSE, new or not. */
export function setLocalLimit(table: Table, account: string, { rseId, bytes }: LocalLimit): Promise<Write> {
  return set(table, accountKeys.localLimit(account, rseId), { bytes });
}

/** The write that sets a limit on an expression, new or not. */
export function setGlobalLimit(table: Table, account: string, { expression, bytes }: GlobalLimit): Promise<Write> {
  return set(table, accountKeys.globalLimit(account, expression), { expression, bytes });
}

/** The write that ends a limit on an RSE; none when there is no limit. */
export function deleteLocalLimit(table: Table, account: string, rseId: string): Promise<Plan> {
  return remove(table, accountKeys.localLimit(account, rseId));
}

/** The write that ends a limit on an expression; none when there is no limit. */
export function deleteGlobalLimit(table: Table, account: string, expression: string): Promise<Plan> {
  return remove(table, accountKeys.globalLimit(account, expression));
}

// Somebody else has set or ended the limit since it was read: the plan is made anew.
const retry = () => new LostRace();

async function set(table: Table, key: Key, content: Readonly<Record<string, unknown>>): Promise<Write> {
  return (await table.get(key)) === undefined
    ? { kind: 'insert', item: { ...key, ...content }, onExists: retry }
    : { kind: 'change', key, patch: { set: content }, onMismatch: retry };
}

async function remove(table: Table, key: Key): Promise<Plan> {
  const found = await table.get(key);
  return found === undefined ? [] : [{ kind: 'change', key, patch: { delete: true }, onMismatch: retry }];
}
