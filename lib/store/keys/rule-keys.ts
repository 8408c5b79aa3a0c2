import { createHash } from 'node:crypto';

import type { DidKey } from '../../contract/schemas/did.ts';
import { didKeys } from './did-keys.ts';
import { join, type Key, part, shardOf, sortableTime } from './key-parts.ts';

/** What tells the rules of a DID apart: there is no second one of the same. */
export interface RuleIdentity {
  readonly account: string;
  readonly rseExpression: string;
  readonly copies: number;
}

/** The keys of rules and of what follows from them (docs/adr/0011-rules-on-the-stream.md). */
export const ruleKeys = {
  rule: (id: string): Key => ({ PK: join('RULE', id), SK: 'RULE' }),
  /** GSI2: the rules of an account in order of their creation, in milliseconds. */
  ruleOfAccount: (account: string, createdAt: number, id: string) => ({
    GSI2PK: ruleKeys.accountShard(account, shardOf(id)),
    GSI2SK: join(sortableTime(createdAt), id),
  }),
  accountShard: (account: string, shard: number): string => join('RULES', account, String(shard)),
  /** Where a DID names its rules; one key for what no two rules of a DID may share. */
  pointer: (did: DidKey, { account, rseExpression, copies }: RuleIdentity): Key => ({
    PK: didKeys.partition(did),
    SK: join('RULE', account, digest(JSON.stringify([rseExpression, copies]))),
  }),
  pointers: { from: 'RULE#', to: 'RULE$' },
  /** Where a subscription names its rules, in order of their creation. */
  ofSubscription: (subscriptionId: string, createdAt: number, id: string): Key => ({
    PK: ruleKeys.subscriptionShard(subscriptionId, shardOf(id)),
    SK: join(sortableTime(createdAt), id),
  }),
  subscriptionShard: (subscriptionId: string, shard: number): string => join('SUBRULES', subscriptionId, String(shard)),
  /** A rule that is gone, in the history of its DID. */
  past: (did: DidKey, createdAt: number, id: string): Key => ({
    PK: didKeys.partition(did),
    SK: join('PASTRULE', sortableTime(createdAt), id),
  }),
  pasts: { from: 'PASTRULE#', to: 'PASTRULE$' },

  /** A rule keeps a dataset on an RSE. */
  datasetLock: (did: DidKey, ruleId: string, rseId: string): Key => ({
    PK: didKeys.partition(did),
    SK: join('LOCK', ruleId, rseId),
  }),
  datasetLocks: { from: 'LOCK#', to: 'LOCK$' },
  datasetLocksOfRule: (ruleId: string) => ({ from: `${join('LOCK', ruleId)}#`, to: `${join('LOCK', ruleId)}$` }),
  /** GSI1: the datasets that rules keep on an RSE, by scope and name. */
  datasetLockOnRse: (rseId: string, { scope, name }: DidKey, ruleId: string) => ({
    GSI1PK: ruleKeys.datasetLocksOnRse(rseId, shardOf(name)),
    GSI1SK: join(scope, name, ruleId),
  }),
  datasetLocksOnRse: (rseId: string, shard: number): string => join('LOCKS', rseId, String(shard)),

  /** A replica that somebody has to make by copying. */
  transfer: (rseId: string, { scope, name }: DidKey): Key => ({
    PK: ruleKeys.transfersTo(rseId, shardOf(name)),
    SK: join(scope, name),
  }),
  transfersTo: (rseId: string, shard: number): string => join('TRANSFERS', rseId, String(shard)),

  /** A note of work to be done, by the time when it falls due, in milliseconds. */
  work: (due: number, id: string): Key => ({ PK: ruleKeys.workShard(shardOf(id)), SK: join(sortableTime(due), id) }),
  workShard: (shard: number): string => join('WORK', String(shard)),
  workUntil: (due: number) => ({ from: '0', to: `${sortableTime(due)}$` }),
  /** A part of the collections that a task has walked through. */
  walked: (id: string, index: number): Key => ({ PK: join('WALKED', id), SK: String(index) }),
} as const;

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
  return { rseId: part(PK, 1), did: { scope: part(SK, 0), name: part(SK, 1) } };
}

/** Reads the time, in milliseconds, and the id back out of the key of a note. */
export function workOf({ SK }: Key): { due: number; id: string } {
  return { due: Number(part(SK, 0)), id: part(SK, 1) };
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);
