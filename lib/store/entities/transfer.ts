import type { DidKey } from '../../contract/schemas/did.ts';
import type { RequestState } from '../../contract/schemas/states.ts';
import type { Integer } from '../../integer.ts';
import { mapRows } from '../../rows/map-rows.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item, Patch } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import {
  attributesReader,
  hasShape,
  isFlag,
  isInteger,
  isNumber,
  isText,
  oneOf,
  optional,
  recordOf,
} from '../items/read-attributes.ts';
import { ruleKeys, transferOf } from '../keys/rule-keys.ts';
import { activityOf, transferKeys } from '../keys/transfer-keys.ts';
import { shards } from '../values/shards.ts';

/** The stored states of a transfer; a finished one is deleted. */
const storedStates = {
  QUEUED: true,
  SUBMITTING: true,
  SUBMITTED: true,
  WAITING: true,
  NO_SOURCES: true,
  ONLY_TAPE_SOURCES: true,
  MISMATCH_SCHEME: true,
} as const satisfies Partial<Record<keyof typeof RequestState, true>>;
export type TransferState = keyof typeof storedStates;

/** A requested copy of a file to an RSE, for which a rule waits. Dates in milliseconds since 1970. */
export interface Transfer {
  readonly did: DidKey;
  /** The destination. */
  readonly rseId: string;
  /** 32 lower-case hex digits. */
  readonly id: string;
  /** The rule that requested it first; it determines activity, account and priority. */
  readonly ruleId: string;
  readonly bytes?: Integer;
  readonly createdAt: number;
  /** Absent: QUEUED. */
  readonly state?: TransferState;
  /** When a mover may take it: the end of its lease, of a pause after a failure, or of a wait. */
  readonly due: number;
  readonly lease?: TransferLease;
  /** The lease that ended last with a report; its repeat changes nothing. */
  readonly lastLease?: string;
  /** Failed attempts. */
  readonly attempts?: number;
  /** Leases in a row that ended without a report. */
  readonly silent?: number;
  /** Failed attempts by the id of their source. */
  readonly failures?: Readonly<Record<string, number>>;
  /** Why the last attempt failed. */
  readonly error?: string;
  /** The source of the present or last attempt. */
  readonly sourceId?: string;
  /** The activity at the time of its last lease. */
  readonly activity?: string;
  /** Its source has a limit, so the lease is counted there. */
  readonly isCountedAtSource?: boolean;
  /** Its id at the transfer tool, and the server of the tool. */
  readonly externalId?: string;
  readonly externalHost?: string;
  readonly submittedAt?: number;
  /** When a mover last took it or reported on it; absent: none has. */
  readonly updatedAt?: number;
  /** Counts its changes. */
  readonly rev: number;
}

/** The right of a mover to make a copy until a time. */
export interface TransferLease {
  readonly id: string;
  readonly holder: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** The transfer of a file to an RSE, if one is requested. */
export async function getTransfer(table: Table, did: DidKey, rseId: string): Promise<Transfer | undefined> {
  const item = await table.get(ruleKeys.transfer(rseId, did));
  return item === undefined ? undefined : toTransfer(item);
}

/** The transfers of files to an RSE, in any order; those that are not requested are left out. */
export async function getTransfers(table: Table, dids: readonly DidKey[], rseId: string): Promise<Transfer[]> {
  return (await table.getMany(dids.map((did) => ruleKeys.transfer(rseId, did)))).map(toTransfer);
}

/** The transfers to an RSE, by scope and name; `slice` by DID. */
export function listTransfersTo(
  table: Table,
  rseId: string,
  { after, pageSize }: Slice<DidKey> = {},
): ReadyRows<Transfer> {
  const start = after === undefined ? undefined : ruleKeys.transfer(rseId, after).SK;
  const streams = shards.map((shard) =>
    table.query({ pk: ruleKeys.transfersTo(rseId, shard), after: start, pageSize }),
  );
  return mapRows(
    mergeSorted(streams, ({ SK }) => SK),
    toTransfer,
  );
}

/**
 * The transfers to an RSE that a mover may take at a time, those due first first. Eventually consistent: some may be
 * taken already.
 *
 * @param pageSize About how many the caller will take.
 */
export function listDueTransfers(table: Table, rseId: string, now: number, pageSize: number): ReadyRows<Transfer> {
  const streams = shards.map((shard) =>
    table.query({ index: 'GSI1', pk: transferKeys.dueShard(rseId, shard), ...transferKeys.until(now), pageSize }),
  );
  return mapRows(
    mergeSorted(streams, (found) => String(found['GSI1SK'])),
    toTransfer,
  );
}

/** Whether a mover may take a transfer to an RSE at a time. Eventually consistent. */
export async function hasDueTransfer(table: Table, rseId: string, now: number): Promise<boolean> {
  const due = listDueTransfers(table, rseId, now, 1);
  for await (const _transfer of due) return true;
  return false;
}

/** The transfers to an RSE that nobody may take yet: leased, or put off. Eventually consistent. */
export async function* listTakenTransfers(table: Table, rseId: string, now: number): AsyncGenerator<Transfer> {
  for (const shard of shards) {
    const range = { index: 'GSI1', pk: transferKeys.dueShard(rseId, shard), ...transferKeys.after(now) } as const;
    for await (const item of table.query(range)) yield toTransfer(item);
  }
}

/** The activities of the leased transfers from an RSE whose leases are counted. Eventually consistent. */
export async function* listLeasedFrom(table: Table, sourceId: string, now: number): AsyncGenerator<string> {
  for (const shard of shards) {
    const range = { index: 'GSI2', pk: transferKeys.fromShard(sourceId, shard), ...transferKeys.after(now) } as const;
    for await (const item of table.query(range)) yield activityOf(String(item['GSI2SK']));
  }
}

/** The write that requests a transfer. A mover may take it at once. */
export function insertTransfer({ did, rseId, ...attributes }: Omit<Transfer, 'due' | 'rev'>): Insert {
  const { createdAt: due } = attributes;
  const index = transferKeys.due(rseId, due, did);
  return {
    kind: 'insert',
    item: { ...ruleKeys.transfer(rseId, did), ...index, ...attributes, due, rev: 0 },
    onExists: () => new LostRace(`${did.scope}:${did.name} has a transfer to ${rseId} already`),
  };
}

/** Changed attributes of a transfer; undefined removes one. */
export type TransferPatch = {
  readonly [K in keyof Omit<Transfer, 'did' | 'rseId' | 'id' | 'rev'>]?: Transfer[K] | undefined;
};

/**
 * The write that changes a transfer that was read, if it has not changed since.
 *
 * @param due When a mover may take it next, in milliseconds since 1970.
 * @param onMismatch Makes the error for one that has changed; by default the plan is made again.
 */
export function changeTransfer(
  transfer: Transfer,
  changed: TransferPatch & { readonly due: number },
  onMismatch: () => Error = () => new LostRace(`the transfer ${transfer.id} has changed`),
): Change {
  const { did, rseId, rev } = transfer;
  const index = { ...transferKeys.due(rseId, changed.due, did), ...indexOfSource({ ...transfer, ...changed }) };
  const entries = Object.entries({ ...changed, ...index });
  const patch: Patch = {
    set: Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
    remove: entries.filter(([, value]) => value === undefined).map(([name]) => name),
    add: { rev: 1 },
  };
  return { kind: 'change', key: ruleKeys.transfer(rseId, did), patch, when: { rev }, onMismatch };
}

/** The entry of a leased transfer in the index of its source; only one that is counted there has it. */
function indexOfSource({ did, rseId, lease, sourceId, activity = '', isCountedAtSource }: Leasable) {
  return isCountedAtSource !== true || lease === undefined || sourceId === undefined
    ? { GSI2PK: undefined, GSI2SK: undefined }
    : transferKeys.from(sourceId, { until: lease.until, activity, rseId, did });
}

type Leasable = Pick<Transfer, 'did' | 'rseId'> & TransferPatch;

/** Notes of a transfer about the attempts to make the copy. */
const ofAttempts: readonly (keyof Transfer)[] = [
  'state',
  'lease',
  'lastLease',
  'attempts',
  'silent',
  'failures',
  'error',
  'sourceId',
  'activity',
  'isCountedAtSource',
  'externalId',
  'externalHost',
  'submittedAt',
];

/**
 * The write that begins a requested transfer anew: whoever makes the copy at present loses it, since what is there was found
 * bad.
 *
 * @param id Another one than before: transfer tools know attempts by it, and would tell the end of the former copy.
 */
export function restartTransfer(did: DidKey, rseId: string, { id, now }: { id: string; now: number }): Change {
  const set = { ...transferKeys.due(rseId, now, did), id, due: now, updatedAt: now };
  return {
    kind: 'change',
    key: ruleKeys.transfer(rseId, did),
    patch: { set, remove: [...ofAttempts, 'GSI2PK', 'GSI2SK'], add: { rev: 1 } },
    onMismatch: () => new LostRace(`${did.scope}:${did.name} has no transfer to ${rseId} any more`),
  };
}

/** The write that cancels or completes a transfer. */
export function deleteTransfer(did: DidKey, rseId: string): Change {
  return {
    kind: 'change',
    key: ruleKeys.transfer(rseId, did),
    patch: { delete: true },
    onMismatch: () => new LostRace(`${did.scope}:${did.name} has no transfer to ${rseId} any more`),
  };
}

const optionalNumber = optional(isNumber);
const optionalText = optional(isText);

const readTransfer = attributesReader<Omit<Transfer, 'did' | 'rseId'>>({
  id: isText,
  ruleId: isText,
  bytes: optional(isInteger),
  createdAt: isNumber,
  state: optional(oneOf<TransferState>(storedStates)),
  due: isNumber,
  lease: optional(hasShape<TransferLease>({ id: isText, holder: isText, until: isNumber })),
  lastLease: optionalText,
  attempts: optionalNumber,
  silent: optionalNumber,
  failures: optional(recordOf(isNumber)),
  error: optionalText,
  sourceId: optionalText,
  activity: optionalText,
  isCountedAtSource: optional(isFlag),
  externalId: optionalText,
  externalHost: optionalText,
  submittedAt: optionalNumber,
  updatedAt: optionalNumber,
  rev: isNumber,
});

/** Reads a transfer out of its item. */
export function toTransfer(item: Item): Transfer {
  return { ...transferOf(item), ...readTransfer(item) };
}
