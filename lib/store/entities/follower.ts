import type { DidKey } from '../../contract/schemas/did.ts';
import { keys, lastPart } from '../keys.ts';
import type { Change, Insert } from '../plan.ts';
import type { Table } from '../table.ts';

/** Whether an account follows a DID. */
export async function isFollower(table: Table, did: DidKey, account: string): Promise<boolean> {
  return (await table.get(keys.follower(did, account))) !== undefined;
}

/** The accounts that follow a DID, in name order. */
export async function* listFollowers(table: Table, did: DidKey): AsyncGenerator<string> {
  for await (const item of table.query({ pk: keys.didPartition(did), ...keys.followers })) yield lastPart(item);
}

/** The write that makes an account follow a DID. */
export function insertFollower(did: DidKey, account: string, now: number, onExists: () => Error): Insert {
  return { kind: 'insert', item: { ...keys.follower(did, account), createdAt: now }, onExists };
}

/** The write that ends it. */
export function deleteFollower(did: DidKey, account: string, onMissing: () => Error): Change {
  return { kind: 'change', key: keys.follower(did, account), patch: { delete: true }, onMismatch: onMissing };
}
