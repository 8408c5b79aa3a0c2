import type { DidKey } from '../../contract/schemas/did.ts';
import type { Integer } from '../../integer.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import { sliceOfShard } from '../batches/shard-slice.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Change, Insert } from '../items/plan.ts';
import { didOfContent, replicaKeys } from '../keys/replica-keys.ts';
import { shards } from '../values/shards.ts';

/** The write that adds a file to the content of an RSE. */
export function insertRseContent(
  rseId: string,
  did: DidKey,
  bytes: Integer | undefined,
  now: number,
  onExists: () => Error,
): Insert {
  return {
    kind: 'insert',
    item: { ...replicaKeys.content(rseId, did), ...(bytes === undefined ? {} : { bytes }), createdAt: now },
    onExists,
  };
}

/** The write that removes a file from the content of an RSE. */
export function deleteRseContent(rseId: string, did: DidKey, onMissing: () => Error): Change {
  return { kind: 'change', key: replicaKeys.content(rseId, did), patch: { delete: true }, onMismatch: onMissing };
}

/** The files of one shard of an RSE's content by scope and name; `slice` by file. Strongly consistent. */
export function listRseContent(
  table: Table,
  rseId: string,
  shard: number,
  { after, pageSize }: Slice<DidKey> = {},
): AsyncGenerator<DidKey> {
  const last = after === undefined ? undefined : replicaKeys.content(rseId, after).SK;
  const range = { pk: replicaKeys.contentShard(rseId, shard), after: last, pageSize };
  return table.query(range, didOfContent);
}

/** The files in the content of an RSE, by scope and name; `slice` by file. Strongly consistent. */
export function listAllRseContent(table: Table, rseId: string, slice: Slice<DidKey> = {}): AsyncGenerator<DidKey> {
  const part = sliceOfShard(slice);
  const streams = shards.map((shard) => listRseContent(table, rseId, shard, part));
  return mergeSorted(streams, (did) => replicaKeys.content(rseId, did).SK);
}

/** Whether any file is in the content of an RSE; strongly consistent. */
export async function hasRseContent(table: Table, rseId: string): Promise<boolean> {
  const found = await Promise.all(
    shards.map(async (shard) => {
      for await (const _file of table.query({ pk: replicaKeys.contentShard(rseId, shard), pageSize: 1 })) return true;
      return false;
    }),
  );
  return found.includes(true);
}
