import { hash } from 'node:crypto';

import type { DidKey } from '../../contract/schemas/did.ts';
import { shardOf } from '../values/shards.ts';
import { didKeys, didPartitionPrefix } from './did-keys.ts';
import {
  join,
  type Key,
  type KeyPrefix,
  part,
  rangeOf,
  readName,
  sortableTime,
  spellName,
  startOf,
} from './key-parts.ts';

/** Identifies a rule of a DID: no two rules of a DID share it. */
export interface RuleIdentity {
  readonly account: string;
  readonly rseExpression: string;
  readonly copies: number;
  /** The id of the rule that has taken over its identity; absent: none has. */
  readonly successor?: string;
}

// The first parts of the keys below. Constants rather than an object, and calls that are marked as pure, so that bundles
// contain only the keys that they use.
const rulePrefix = 'RULE';
const rulesOfAccountPrefix = 'RULES';
const rulesOfSubscriptionPrefix = 'SUBRULES';
const pastPrefix = 'PASTRULE';
const datasetLockPrefix = 'LOCK';
const datasetLocksOnRsePrefix = 'LOCKS';
const transferPrefix = 'TRANSFERS';
const workPrefix = 'WORK';
const walkedPrefix = 'WALKED';

/** The keys of rules, and of their locks, transfers and tasks (docs/adr/0011-rules-on-the-stream.md). */
export const ruleKeys = {
  rule: (id: string): Key => ({ PK: join(rulePrefix, id), SK: rulePrefix }),
  /** GSI2: the rules of an account in order of their creation, in milliseconds. */
  ruleOfAccount: (account: string, createdAt: number, id: string) => ({
    GSI2PK: ruleKeys.accountShard(account, shardOf(id)),
    GSI2SK: join(sortableTime(createdAt), id),
  }),
  accountShard: (account: string, shard: number): string => join(rulesOfAccountPrefix, account, String(shard)),
  /** The pointer from a DID to a rule. Its key is the rule's identity, so that no two rules of a DID share it. */
  pointer: (did: DidKey, { account, rseExpression, copies, successor }: RuleIdentity): Key => ({
    PK: didKeys.partition(did),
    SK: join(
      rulePrefix,
      account,
      digest(JSON.stringify([rseExpression, copies, ...(successor === undefined ? [] : [successor])])),
    ),
  }),
  pointers: rangeOf(rulePrefix),
  /** The pointer from a subscription to a rule, in order of their creation. */
  ofSubscription: (subscriptionId: string, createdAt: number, id: string): Key => ({
    PK: ruleKeys.subscriptionShard(subscriptionId, shardOf(id)),
    SK: join(sortableTime(createdAt), id),
  }),
  subscriptionShard: (subscriptionId: string, shard: number): string =>
    join(rulesOfSubscriptionPrefix, subscriptionId, String(shard)),
  /** A rule that has ended, in the history of its DID. */
  past: (did: DidKey, createdAt: number, id: string): Key => ({
    PK: didKeys.partition(did),
    SK: join(pastPrefix, sortableTime(createdAt), id),
  }),
  pasts: rangeOf(pastPrefix),

  /** The lock of a rule on a dataset at an RSE. */
  datasetLock: (did: DidKey, ruleId: string, rseId: string): Key => ({
    PK: didKeys.partition(did),
    SK: join(datasetLockPrefix, ruleId, rseId),
  }),
  datasetLocks: rangeOf(datasetLockPrefix),
  datasetLocksOfRule: (ruleId: string) => rangeOf(datasetLockPrefix, ruleId),
  /** GSI1: the dataset locks on an RSE, by scope and name. */
  datasetLockOnRse: (rseId: string, { scope, name }: DidKey, ruleId: string) => ({
    GSI1PK: ruleKeys.datasetLocksOnRse(rseId, shardOf(name)),
    GSI1SK: join(scope, spellName(name), ruleId),
  }),
  datasetLocksOnRse: (rseId: string, shard: number): string => join(datasetLocksOnRsePrefix, rseId, String(shard)),

  /** A replica that is to be made by a copy. */
  transfer: (rseId: string, { scope, name }: DidKey): Key => ({
    PK: ruleKeys.transfersTo(rseId, shardOf(name)),
    SK: join(scope, spellName(name)),
  }),
  transfersTo: (rseId: string, shard: number): string => join(transferPrefix, rseId, String(shard)),

  /** A task, by the time at which it is due, in milliseconds. */
  work: (due: number, id: string): Key => ({ PK: ruleKeys.workShard(shardOf(id)), SK: join(sortableTime(due), id) }),
  workShard: (shard: number): string => join(workPrefix, String(shard)),
  workUntil: (due: number) => ({ from: '0', to: rangeOf(sortableTime(due)).to }),
  /** A list of the collections that a task has visited. */
  walked: (id: string, index: number): Key => ({ PK: join(walkedPrefix, id), SK: String(index) }),
} as const;

/** How the keys of these items begin. */
export const ruleItems = {
  rule: { PK: startOf(rulePrefix), SK: rulePrefix },
  datasetLock: { PK: startOf(didPartitionPrefix), SK: startOf(datasetLockPrefix) },
  transfer: { PK: startOf(transferPrefix), SK: '' },
  work: { PK: startOf(workPrefix), SK: '' },
} as const satisfies Record<string, KeyPrefix>;

/** Reads the id back out of the key of a rule. */
export function ruleIdOf({ PK }: Key): string {
  return part(PK, 1);
}

/** Reads rule and RSE back out of the key of a dataset lock. */
export function datasetLockOf({ SK }: Key): { ruleId: string; rseId: string } {
  return { ruleId: part(SK, 1), rseId: part(SK, 2) };
}

/** Reads RSE and file back out of the key of a transfer. */
export function transferOf({ PK, SK }: Key): { rseId: string; did: DidKey } {
  return { rseId: part(PK, 1), did: { scope: part(SK, 0), name: readName(part(SK, 1)) } };
}

/** Reads the due time, in milliseconds, and the id back out of the key of a task. */
export function workOf({ SK }: Key): { due: number; id: string } {
  return { due: Number(part(SK, 0)), id: part(SK, 1) };
}

const digest = (text: string) => hash('sha256', text).slice(0, 32);
