import type { DidKey } from '../../contract/schemas/did.ts';
import { keys, lastPart } from '../keys.ts';
import type { Change, Insert } from '../plan.ts';
import type { Slice, Table } from '../table.ts';

/** Whether an account follows a DID. */
export async function isFollower(table: Table, did: DidKey, account: string): Promise<boolean> {
  return (await table.get(keys.follower(did, account))) !== undefined;
}

/** The accounts that follow a DID, in name order; `slice` by name. */
export async function* listFollowers(
  table: Table,
  did: DidKey,
  { after, pageSize }: Slice = {},
): AsyncGenerator<string> {
  const { SK } = after === undefined ? {} : keys.follower(did, after);
  const range = { pk: keys.didPartition(did), ...keys.followers, after: SK, pageSize };
  for await (const item of table.query(range)) yield lastPart(item);
}

/** The write that makes an account follow a DID. */
export function insertFollower(did: DidKey, account: string, now: number, onExists: () => Error): Insert {
  return { kind: 'insert', item: { ...keys.follower(did, account), createdAt: now }, onExists };
}

/** The write that ends it. */
export function deleteFollower(did: DidKey, account: string, onMissing: () => Error): Change {
  return { kind: 'change', key: keys.follower(did, account), patch: { delete: true }, onMismatch: onMissing };
}
