import { hash } from 'node:crypto';

import { join, type Key, type KeyPrefix, part, rangeOf, sortableTime, startOf } from './key-parts.ts';

// The first parts of the keys below. Constants rather than an object, and calls that are marked as pure, so that bundles
// contain only the keys that they use.
const partitionPrefix = 'A';
const accountPrefix = 'ACCOUNT';
const limitPrefix = 'LIMIT';
const localLimitPrefix = 'LOCAL';
const globalLimitPrefix = 'GLOBAL';
const usagePrefix = 'USAGE';
const pastUsagePrefix = 'USAGEHIST';

/** The keys of accounts, their limits and their usage. */
export const accountKeys = {
  /** Limits, usage and identities of an account share its partition. */
  partition: (account: string): string => join(partitionPrefix, account),
  account: (account: string): Key => ({ PK: accountKeys.partition(account), SK: accountPrefix }),
  accounts: { GSI1PK: 'ACCOUNTS' },
  /** GSI1: the scopes of an account. */
  scopes: (account: string): string => join(partitionPrefix, account, 'SCOPES'),
  loginFailures: (account: string): Key => ({ PK: accountKeys.partition(account), SK: 'LOGINS' }),

  localLimit: (account: string, rseId: string): Key => ({
    PK: accountKeys.partition(account),
    SK: join(limitPrefix, localLimitPrefix, rseId),
  }),
  localLimits: rangeOf(limitPrefix, localLimitPrefix),
  /** The expression itself is an attribute: it may hold any character and be longer than a key. */
  globalLimit: (account: string, expression: string): Key => ({
    PK: accountKeys.partition(account),
    SK: join(limitPrefix, globalLimitPrefix, hash('sha256', expression)),
  }),
  globalLimits: rangeOf(limitPrefix, globalLimitPrefix),

  usage: (account: string, rseId: string): Key => ({
    PK: accountKeys.partition(account),
    SK: join(usagePrefix, rseId),
  }),
  usages: rangeOf(usagePrefix),
  /** A change of the usage that is not in its sum yet; sorts directly after it. */
  usageDifference: (account: string, rseId: string, id: string): Key => ({
    PK: accountKeys.partition(account),
    SK: join(usagePrefix, rseId, id),
  }),
  /** The sum of an RSE and the differences behind it. */
  usageOn: (rseId: string) => ({ ...rangeOf(usagePrefix, rseId), from: join(usagePrefix, rseId) }),
  /** Usage of an account at a time, in milliseconds. */
  usageAt: (account: string, rseId: string, at: number): Key => ({
    PK: accountKeys.partition(account),
    SK: join(pastUsagePrefix, rseId, sortableTime(at)),
  }),
  usageHistory: (rseId: string) => rangeOf(pastUsagePrefix, rseId),
} as const;

/** How the keys of these items begin. */
export const accountItems = {
  account: { PK: startOf(partitionPrefix), SK: accountPrefix },
  usage: { PK: startOf(partitionPrefix), SK: startOf(usagePrefix) },
} as const satisfies Record<string, KeyPrefix>;

/** Reads the account back out of a key of its partition. */
export function accountOf({ PK }: Key): string {
  return part(PK, 1);
}

/** Reads the RSE back out of the sort key of an account's usage; `difference`: the item is not a sum. */
export function accountUsageOf({ SK }: Pick<Key, 'SK'>): { rseId: string; difference: boolean } {
  return { rseId: part(SK, 1), difference: part(SK, 2) !== '' };
}
