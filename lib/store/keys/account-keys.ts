import { createHash } from 'node:crypto';

import { join, type Key, part, sortableTime } from './key-parts.ts';

/** The keys of accounts and of what hangs on them: limits and usage. */
export const accountKeys = {
  account: (account: string): Key => ({ PK: join('A', account), SK: 'ACCOUNT' }),
  accounts: { GSI1PK: 'ACCOUNTS' },
  loginFailures: (account: string): Key => ({ PK: join('A', account), SK: 'LOGINS' }),

  localLimit: (account: string, rseId: string): Key => ({ PK: join('A', account), SK: join('LIMIT', 'LOCAL', rseId) }),
  localLimits: { from: 'LIMIT#LOCAL#', to: 'LIMIT#LOCAL$' },
  /** The expression itself lies on the item: it may hold any character and be longer than a key. */
  globalLimit: (account: string, expression: string): Key => ({
    PK: join('A', account),
    SK: join('LIMIT', 'GLOBAL', createHash('sha256').update(expression).digest('hex')),
  }),
  globalLimits: { from: 'LIMIT#GLOBAL#', to: 'LIMIT#GLOBAL$' },

  usage: (account: string, rseId: string): Key => ({ PK: join('A', account), SK: join('USAGE', rseId) }),
  usages: { from: 'USAGE#', to: 'USAGE$' },
  /** A change of the usage that is not in its sum yet; sorts directly behind it. */
  usageDifference: (account: string, rseId: string, id: string): Key => ({
    PK: join('A', account),
    SK: join('USAGE', rseId, id),
  }),
  usageOn: (rseId: string) => ({ from: join('USAGE', rseId), to: `${join('USAGE', rseId)}$` }),
  /** What an account used at a time, in milliseconds. */
  usageAt: (account: string, rseId: string, at: number): Key => ({
    PK: join('A', account),
    SK: join('USAGEHIST', rseId, sortableTime(at)),
  }),
  usageHistory: (rseId: string) => ({
    from: `${join('USAGEHIST', rseId)}#`,
    to: `${join('USAGEHIST', rseId)}$`,
  }),
} as const;

/** Reads the account back out of the key of what hangs on it. */
export function accountOf({ PK }: Key): string {
  return part(PK, 1);
}

/** Reads the RSE back out of the sort key of what an account uses; `difference`: it is none of the sums. */
export function accountUsageOf({ SK }: Pick<Key, 'SK'>): { rseId: string; difference: boolean } {
  return { rseId: part(SK, 1), difference: part(SK, 2) !== '' };
}
