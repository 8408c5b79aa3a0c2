import { accountKeys } from '../keys/account-keys.ts';
import { batchKeys } from '../keys/batch-keys.ts';
import { daemonKeys } from '../keys/daemon-keys.ts';
import { eventReaders } from '../keys/event-keys.ts';
import { idempotencyKeys } from '../keys/idempotency-keys.ts';
import { identityKeys } from '../keys/identity-keys.ts';
import { type Key, part } from '../keys/key-parts.ts';
import { rseKeys } from '../keys/rse-keys.ts';

/** Items outside of a catalogue's content: they live for a day at most, or belong to running processes. */
export const leftOut = {
  'bulk requests under way': [part(batchKeys.shard(0), 0), part(batchKeys.lists('id'), 0), part(batchKeys.marks, 0)],
  'kept answers of idempotency keys': [part(idempotencyKeys.answer('account', 'key').PK, 0)],
  'readers of events': [eventReaders],
  'the packed fleet': [part(rseKeys.fleetPack(0).PK, 0)],
  heartbeats: [daemonKeys.heartbeats],
  'used SSH challenges': [part(identityKeys.usedChallenge('account', 'challenge').PK, 0)],
  'wrong passwords': [part(identityKeys.loginFailures('type', 'identity').PK, 0)],
} as const;

const partitions: ReadonlySet<string> = new Set(Object.values(leftOut).flat());
const wrongPasswords = accountKeys.loginFailures('account').SK;
const accountPartition = part(accountKeys.partition('account'), 0);

/** Whether an item is left out of exports. */
export function isLeftOut({ PK, SK }: Key): boolean {
  const first = part(PK, 0);
  return partitions.has(first) || (first === accountPartition && SK === wrongPasswords);
}
