import type { DidKey } from '../../contract/schemas/did.ts';
import type { Integer } from '../../integer.ts';
import { mergeSorted } from '../batches/merge.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { shards } from '../keys/key-parts.ts';
import { ruleKeys, transferOf } from '../keys/rule-keys.ts';

/** A replica that a rule waits for and that somebody has to make: a copy of a file to an RSE. */
export interface Transfer {
  readonly did: DidKey;
  /** Where the replica is wanted. */
  readonly rseId: string;
  /** 32 lower-case hex digits. */
  readonly id: string;
  /** The rule that asked first; it says activity, account and priority. */
  readonly ruleId: string;
  readonly bytes?: Integer;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
}

/** The transfer of a file to an RSE, if one is wanted. */
export async function getTransfer(table: Table, did: DidKey, rseId: string): Promise<Transfer | undefined> {
  const item = await table.get(ruleKeys.transfer(rseId, did));
  return item === undefined ? undefined : fromItem(item);
}

/** The transfers to an RSE, by scope and name; `slice` by DID. */
export async function* listTransfersTo(
  table: Table,
  rseId: string,
  { after, pageSize }: Slice<DidKey> = {},
): AsyncGenerator<Transfer> {
  const start = after === undefined ? undefined : ruleKeys.transfer(rseId, after).SK;
  const streams = shards.map((shard) =>
    table.query({ pk: ruleKeys.transfersTo(rseId, shard), after: start, pageSize }),
  );
  for await (const item of mergeSorted(streams, ({ SK }) => SK)) yield fromItem(item);
}

/** The write that asks for a transfer. */
export function insertTransfer({ did, rseId, ...attributes }: Transfer): Insert {
  return {
    kind: 'insert',
    item: { ...ruleKeys.transfer(rseId, did), ...attributes },
    onExists: () => new LostRace(`${did.scope}:${did.name} is to be copied to ${rseId} already`),
  };
}

/** The write that takes a transfer back, or ends it. */
export function deleteTransfer(did: DidKey, rseId: string): Change {
  return {
    kind: 'change',
    key: ruleKeys.transfer(rseId, did),
    patch: { delete: true },
    onMismatch: () => new LostRace(`${did.scope}:${did.name} is not to be copied to ${rseId} any more`),
  };
}

/** A transfer as it lies in its item, or as it lay there. */
export function toTransfer(item: Item): Transfer {
  return fromItem(item);
}

function fromItem(item: Item): Transfer {
  const { PK, SK, batch: _batch, gone: _gone, ...attributes } = item;
  return { ...transferOf({ PK, SK }), ...attributes } as unknown as Transfer;
}
