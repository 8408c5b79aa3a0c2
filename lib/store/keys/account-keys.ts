import { createHash } from 'node:crypto';

import { join, type Key, type KeyPrefix, part, rangeOf, sortableTime, startOf } from './key-parts.ts';

/** The first parts of the keys below. */
const prefixes = {
  partition: 'A',
  account: 'ACCOUNT',
  limit: 'LIMIT',
  localLimit: 'LOCAL',
  globalLimit: 'GLOBAL',
  usage: 'USAGE',
  pastUsage: 'USAGEHIST',
} as const;

/** The keys of accounts, their limits and their usage. */
export const accountKeys = {
  /** Limits, usage and identities of an account share its partition. */
  partition: (account: string): string => join(prefixes.partition, account),
  account: (account: string): Key => ({ PK: accountKeys.partition(account), SK: prefixes.account }),
  accounts: { GSI1PK: 'ACCOUNTS' },
  /** GSI1: the scopes of an account. */
  scopes: (account: string): string => join(prefixes.partition, account, 'SCOPES'),
  loginFailures: (account: string): Key => ({ PK: accountKeys.partition(account), SK: 'LOGINS' }),

  localLimit: (account: string, rseId: string): Key => ({
    PK: accountKeys.partition(account),
    SK: join(prefixes.limit, prefixes.localLimit, rseId),
  }),
  localLimits: rangeOf(prefixes.limit, prefixes.localLimit),
  /** The expression itself is an attribute: it may hold any character and be longer than a key. */
  globalLimit: (account: string, expression: string): Key => ({
    PK: accountKeys.partition(account),
    SK: join(prefixes.limit, prefixes.globalLimit, createHash('sha256').update(expression).digest('hex')),
  }),
  globalLimits: rangeOf(prefixes.limit, prefixes.globalLimit),

  usage: (account: string, rseId: string): Key => ({
    PK: accountKeys.partition(account),
    SK: join(prefixes.usage, rseId),
  }),
  usages: rangeOf(prefixes.usage),
  /** A change of the usage that is not in its sum yet; sorts directly after it. */
  usageDifference: (account: string, rseId: string, id: string): Key => ({
    PK: accountKeys.partition(account),
    SK: join(prefixes.usage, rseId, id),
  }),
  /** The sum of an RSE and the differences behind it. */
  usageOn: (rseId: string) => ({ ...rangeOf(prefixes.usage, rseId), from: join(prefixes.usage, rseId) }),
  /** What an account used at a time, in milliseconds. */
  usageAt: (account: string, rseId: string, at: number): Key => ({
    PK: accountKeys.partition(account),
    SK: join(prefixes.pastUsage, rseId, sortableTime(at)),
  }),
  usageHistory: (rseId: string) => rangeOf(prefixes.pastUsage, rseId),
} as const;

/** How the keys of these items begin. */
export const accountItems = {
  account: { PK: startOf(prefixes.partition), SK: prefixes.account },
  usage: { PK: startOf(prefixes.partition), SK: accountKeys.usages.from },
} as const satisfies Record<string, KeyPrefix>;

/** Reads the account back out of a key of its partition. */
export function accountOf({ PK }: Key): string {
  return part(PK, 1);
}

/** Reads the RSE back out of the sort key of an account's usage; `difference`: the item is not a sum. */
export function accountUsageOf({ SK }: Pick<Key, 'SK'>): { rseId: string; difference: boolean } {
  return { rseId: part(SK, 1), difference: part(SK, 2) !== '' };
}
