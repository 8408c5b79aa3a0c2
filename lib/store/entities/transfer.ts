import type { DidKey } from '../../contract/schemas/did.ts';
import type { Integer } from '../../integer.ts';
import { mergeSorted } from '../batches/merge.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { attributesReader, isInteger, isNumber, isText, optional } from '../items/read-attributes.ts';
import { ruleKeys, transferOf } from '../keys/rule-keys.ts';
import { shards } from '../values/shards.ts';

/** A requested copy of a file to an RSE, for which a rule waits. */
export interface Transfer {
  readonly did: DidKey;
  /** The destination. */
  readonly rseId: string;
  /** 32 lower-case hex digits. */
  readonly id: string;
  /** The rule that requested it first; it determines activity, account and priority. */
  readonly ruleId: string;
  readonly bytes?: Integer;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
}

/** The transfer of a file to an RSE, if one is requested. */
export async function getTransfer(table: Table, did: DidKey, rseId: string): Promise<Transfer | undefined> {
  const item = await table.get(ruleKeys.transfer(rseId, did));
  return item === undefined ? undefined : toTransfer(item);
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
  for await (const item of mergeSorted(streams, ({ SK }) => SK)) yield toTransfer(item);
}

/** The write that requests a transfer. */
export function insertTransfer({ did, rseId, ...attributes }: Transfer): Insert {
  return {
    kind: 'insert',
    item: { ...ruleKeys.transfer(rseId, did), ...attributes },
    onExists: () => new LostRace(`${did.scope}:${did.name} has a transfer to ${rseId} already`),
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

const readTransfer = /* @__PURE__ */ attributesReader<Omit<Transfer, 'did' | 'rseId'>>({
  id: isText,
  ruleId: isText,
  bytes: /* @__PURE__ */ optional(isInteger),
  createdAt: isNumber,
});

/** Reads a transfer out of its item. */
export function toTransfer(item: Item): Transfer {
  return { ...transferOf(item), ...readTransfer(item) };
}
