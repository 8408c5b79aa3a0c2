import type { Integer } from '../../integer.ts';
import type { Table } from '../batches/table.ts';
import { type Change, type Insert, LostRace, type Plan } from '../items/plan.ts';
import { attributesReader, isInteger, isNumber, isText, nullable, oneOf } from '../items/read-attributes.ts';
import { daemonKeys, type TransferLimitKey } from '../keys/daemon-keys.ts';

/** A limit of transfers, kept for the movers that copy files (spec/access.md 6.6). Dates in milliseconds since 1970. */
export interface TransferLimit extends TransferLimitKey {
  readonly id: string;
  readonly maxTransfers: Integer;
  /** In bytes. */
  readonly volume: Integer;
  /** In hours. */
  readonly deadline: Integer;
  readonly strategy: string;
  readonly transfers: Integer | null;
  readonly waitings: Integer | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The limit of an expression, activity and direction. */
export async function getTransferLimit(table: Table, key: TransferLimitKey): Promise<TransferLimit | undefined> {
  const item = await table.get(daemonKeys.transferLimit(key));
  return item === undefined ? undefined : readLimit(item);
}

/** All limits. */
export async function listTransferLimits(table: Table): Promise<TransferLimit[]> {
  return (await Array.fromAsync(table.query({ pk: daemonKeys.transferLimits }))).map(readLimit);
}

/** The write that inserts a limit. */
export function insertTransferLimit(limit: TransferLimit): Insert {
  return { kind: 'insert', item: { ...daemonKeys.transferLimit(limit), ...limit }, onExists: makeRaceError };
}

/** The write that changes a limit that was read; `set` with `updatedAt`. */
export function changeTransferLimit(key: TransferLimitKey, set: Partial<TransferLimit>): Change {
  return { kind: 'change', key: daemonKeys.transferLimit(key), patch: { set }, onMismatch: makeRaceError };
}

/** The write that deletes a limit; none if there is none. */
export async function deleteTransferLimit(table: Table, wanted: TransferLimitKey): Promise<Plan> {
  const key = daemonKeys.transferLimit(wanted);
  const found = await table.get(key);
  return found === undefined ? [] : [{ kind: 'change', key, patch: { delete: true }, onMismatch: makeRaceError }];
}

const makeRaceError = () => new LostRace('a transfer limit was set or deleted concurrently');

const readLimit = attributesReader<TransferLimit>({
  id: isText,
  rseExpression: isText,
  activity: isText,
  direction: oneOf<TransferLimit['direction']>({ SOURCE: true, DESTINATION: true }),
  maxTransfers: isInteger,
  volume: isInteger,
  deadline: isInteger,
  strategy: isText,
  transfers: nullable(isInteger),
  waitings: nullable(isInteger),
  createdAt: isNumber,
  updatedAt: isNumber,
});
