import type { DidKey } from '../../contract/schemas/did.ts';
import type { Integer } from '../../integer.ts';
import { mapRows } from '../../rows/map-rows.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Insert } from '../items/plan.ts';
import { attributesReader, isInteger, isNumber, isText, oneOf, optional } from '../items/read-attributes.ts';
import { pastTransferOf, transferKeys } from '../keys/transfer-keys.ts';
import { shards } from '../values/shards.ts';

/** An attempt to copy a file to an RSE that has ended. Dates in milliseconds since 1970. */
export interface PastTransfer {
  readonly did: DidKey;
  /** The destination. */
  readonly rseId: string;
  readonly endedAt: number;
  /** The id of the request; all attempts have the same. */
  readonly id: string;
  readonly ruleId: string;
  readonly state: 'DONE' | 'FAILED';
  /** The attempts that failed before this one. */
  readonly attempts: number;
  readonly bytes?: Integer;
  readonly createdAt: number;
  readonly submittedAt?: number;
  readonly activity?: string;
  readonly account?: string;
  readonly priority?: number;
  readonly adler32?: string;
  readonly md5?: string;
  /** Why it failed. */
  readonly error?: string;
  /** Absent: the mover did not tell. */
  readonly sourceId?: string;
  readonly externalId?: string;
  readonly externalHost?: string;
}

/** How long past attempts are kept. */
const keptMs = 30 * 86_400_000;

/** The past attempts to an RSE, by scope, name and time. */
export function listPastTransfers(table: Table, rseId: string, now: number): ReadyRows<PastTransfer> {
  const streams = shards.map((shard) => table.query({ pk: transferKeys.pastShard(rseId, shard) }));
  return mapRows(
    mergeSorted(streams, ({ SK }) => SK),
    (item) => {
      const past = toPastTransfer(item);
      // DynamoDB deletes expired items late.
      return past.endedAt > now - keptMs ? past : undefined;
    },
  );
}

/** The past attempts to copy a file to an RSE, by time. */
export async function getPastTransfers(table: Table, did: DidKey, rseId: string, now: number): Promise<PastTransfer[]> {
  const { PK: pk } = transferKeys.past(rseId, did, 0);
  const items = await Array.fromAsync(table.query({ pk, ...transferKeys.pastsOf(did) }));
  return items.map(toPastTransfer).filter(({ endedAt }) => endedAt > now - keptMs);
}

/** The write that records the end of an attempt; `onExists` makes the error if it is recorded already. */
export function insertPastTransfer(
  { did, rseId, endedAt, ...attributes }: PastTransfer,
  onExists: () => Error,
): Insert {
  const ttl = Math.ceil((endedAt + keptMs) / 1_000);
  return { kind: 'insert', item: { ...transferKeys.past(rseId, did, endedAt), ...attributes, ttl }, onExists };
}

const optionalText = optional(isText);

const readPastTransfer = attributesReader<Omit<PastTransfer, 'did' | 'rseId' | 'endedAt'>>({
  id: isText,
  ruleId: isText,
  state: oneOf<PastTransfer['state']>({ DONE: true, FAILED: true }),
  attempts: isNumber,
  bytes: optional(isInteger),
  createdAt: isNumber,
  submittedAt: optional(isNumber),
  activity: optionalText,
  account: optionalText,
  priority: optional(isNumber),
  adler32: optionalText,
  md5: optionalText,
  error: optionalText,
  sourceId: optionalText,
  externalId: optionalText,
  externalHost: optionalText,
});

function toPastTransfer(item: Item): PastTransfer {
  return { ...pastTransferOf(item), ...readPastTransfer(item) };
}
