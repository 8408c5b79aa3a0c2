import type { DidKey } from '../../contract/schemas/did.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Change, Insert } from '../items/plan.ts';
import { didKeys } from '../keys/did-keys.ts';
import { lastPart } from '../keys/key-parts.ts';

/** Whether an account follows a DID. */
export async function isFollower(table: Table, did: DidKey, account: string): Promise<boolean> {
  return (await table.get(didKeys.follower(did, account))) !== undefined;
}

/** The accounts that follow a DID, in name order; `slice` by name. */
export function listFollowers(table: Table, did: DidKey, { after, pageSize }: Slice = {}): AsyncGenerator<string> {
  const { SK } = after === undefined ? {} : didKeys.follower(did, after);
  const range = { pk: didKeys.partition(did), ...didKeys.followers, after: SK, pageSize };
  return table.query(range, lastPart);
}

/** The write that makes an account follow a DID. */
export function insertFollower(did: DidKey, account: string, now: number, onExists: () => Error): Insert {
  return { kind: 'insert', item: { ...didKeys.follower(did, account), createdAt: now }, onExists };
}

/** The write that makes an account unfollow a DID. */
export function deleteFollower(did: DidKey, account: string, onMissing: () => Error): Change {
  return { kind: 'change', key: didKeys.follower(did, account), patch: { delete: true }, onMismatch: onMissing };
}
