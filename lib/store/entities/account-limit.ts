import { defined } from '../../defined.ts';
import type { Integer } from '../../integer.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Insert, LostRace, type Plan, type Write } from '../items/plan.ts';
import { isInteger, isNumber, optional, readAttribute } from '../items/read-attributes.ts';
import { accountKeys, accountOf } from '../keys/account-keys.ts';
import { type Key, lastPart } from '../keys/key-parts.ts';

/** The limit of an account on one RSE; -1 bytes mean no limit. */
export interface LocalLimit {
  readonly rseId: string;
  readonly bytes: Integer;
  /** How often plans have taken much of it (docs/adr/0011-rules-on-the-stream.md). */
  readonly turns?: number;
}

/** The limit of an account on the RSEs of an expression together; -1 bytes mean no limit. */
export interface GlobalLimit {
  readonly expression: string;
  readonly bytes: Integer;
  /** As of a {@link LocalLimit}. */
  readonly turns?: number;
}

/** The limit of an account on an RSE, in bytes. */
export async function getLocalLimit(table: Table, account: string, rseId: string): Promise<Integer | undefined> {
  const item = await table.get(accountKeys.localLimit(account, rseId));
  return item === undefined ? undefined : bytesOf(item);
}

/** The limits of many accounts on an RSE, in bytes, by account; those without one are left out. */
export async function getLocalLimits(
  table: Table,
  accounts: readonly string[],
  rseId: string,
): Promise<ReadonlyMap<string, Integer>> {
  const items = await table.getMany(accounts.map((account) => accountKeys.localLimit(account, rseId)));
  return new Map(items.map((item) => [accountOf(item), bytesOf(item)]));
}

/** The limits of an account on single RSEs. */
export async function* listLocalLimits(table: Table, account: string): AsyncGenerator<LocalLimit> {
  for await (const item of table.query({ pk: accountKeys.account(account).PK, ...accountKeys.localLimits })) {
    yield { rseId: lastPart(item), bytes: bytesOf(item), ...turnsOf(item) };
  }
}

/** The limit of an account on an expression, by its exact text, in bytes. */
export async function getGlobalLimit(table: Table, account: string, expression: string): Promise<Integer | undefined> {
  const item = await table.get(accountKeys.globalLimit(account, expression));
  return item === undefined ? undefined : bytesOf(item);
}

/** The limits of an account on expressions, in no particular order. */
export async function* listGlobalLimits(table: Table, account: string): AsyncGenerator<GlobalLimit> {
  for await (const item of table.query({ pk: accountKeys.account(account).PK, ...accountKeys.globalLimits })) {
    yield { expression: String(item['expression']), bytes: bytesOf(item), ...turnsOf(item) };
  }
}

/** The write that inserts a limit on an RSE. */
export function insertLocalLimit(account: string, { rseId, bytes }: LocalLimit): Insert {
  return insertLimit(accountKeys.localLimit(account, rseId), { bytes });
}

/** The write that inserts a limit on an expression. */
export function insertGlobalLimit(account: string, { expression, bytes }: GlobalLimit): Insert {
  return insertLimit(accountKeys.globalLimit(account, expression), { expression, bytes });
}

/** The write that inserts or changes a limit on an RSE. */
export function setLocalLimit(table: Table, account: string, { rseId, bytes }: LocalLimit): Promise<Write> {
  return putLimit(table, accountKeys.localLimit(account, rseId), { bytes });
}

/** The write that inserts or changes a limit on an expression. */
export function setGlobalLimit(table: Table, account: string, { expression, bytes }: GlobalLimit): Promise<Write> {
  return putLimit(table, accountKeys.globalLimit(account, expression), { expression, bytes });
}

/** The write that deletes a limit on an RSE; none if there is no limit. */
export function deleteLocalLimit(table: Table, account: string, rseId: string): Promise<Plan> {
  return deleteLimit(table, accountKeys.localLimit(account, rseId));
}

/** The write that deletes a limit on an expression; none if there is no limit. */
export function deleteGlobalLimit(table: Table, account: string, expression: string): Promise<Plan> {
  return deleteLimit(table, accountKeys.globalLimit(account, expression));
}

/**
 * The write by which a plan that takes much of a limit takes a turn at it: nobody else has taken one since the limit was read.
 *
 * @param since Turns that plans have taken since then which precede this one.
 */
export function takeTurn(account: string, limit: LocalLimit | GlobalLimit, since: number): Write {
  const { turns = 0 } = limit;
  const key =
    'rseId' in limit
      ? accountKeys.localLimit(account, limit.rseId)
      : accountKeys.globalLimit(account, limit.expression);
  const before = turns + since;
  return {
    kind: 'change',
    key,
    patch: { set: { turns: before + 1 } },
    when: { turns: before === 0 ? undefined : before },
    onMismatch: makeRaceError,
  };
}

const turnsOf = (item: Item) => defined({ turns: readAttribute(item, 'turns', optional(isNumber)) });

const bytesOf = (item: Item) => readAttribute(item, 'bytes', isInteger);

/** The error when another writer has set or ended the limit since it was read. */
const makeRaceError = () => new LostRace();

function insertLimit(key: Key, content: Readonly<Record<string, unknown>>): Insert {
  return { kind: 'insert', item: { ...key, ...content }, onExists: makeRaceError };
}

async function putLimit(table: Table, key: Key, content: Readonly<Record<string, unknown>>): Promise<Write> {
  return (await table.get(key)) === undefined
    ? insertLimit(key, content)
    : { kind: 'change', key, patch: { set: content }, onMismatch: makeRaceError };
}

async function deleteLimit(table: Table, key: Key): Promise<Plan> {
  const found = await table.get(key);
  return found === undefined ? [] : [{ kind: 'change', key, patch: { delete: true }, onMismatch: makeRaceError }];
}
