import { accountKeys } from './account-keys.ts';
import { decode, encode, join, type Key, part, rangeOf } from './key-parts.ts';

/** The first parts of the keys below. */
const prefixes = { partition: 'I', account: 'ACCOUNT', failures: 'LOGINS', identity: 'IDENTITY' } as const;

/** The keys of identities and of their mappings. A mapping has an item at the account and one at the identity. */
export const identityKeys = {
  partition: (type: string, identity: string): string => join(prefixes.partition, type, encode(identity)),
  identity: (type: string, identity: string): Key => ({
    PK: identityKeys.partition(type, identity),
    SK: prefixes.identity,
  }),
  identityAccount: (type: string, identity: string, account: string): Key => ({
    PK: identityKeys.partition(type, identity),
    SK: join(prefixes.account, account),
  }),
  identityAccounts: rangeOf(prefixes.account),
  /** Not in the partition of the identity, which is read as a whole. */
  loginFailures: (type: string, identity: string): Key => ({
    PK: join(prefixes.failures, type, encode(identity)),
    SK: prefixes.failures,
  }),
  accountIdentity: (account: string, type: string, identity: string): Key => ({
    PK: accountKeys.partition(account),
    SK: join(prefixes.identity, type, encode(identity)),
  }),
  accountIdentities: rangeOf(prefixes.identity),
} as const;

/** Reads the identity back out of an account's identity item. */
export function identityOf({ SK }: Key): { type: string; identity: string } {
  return { type: part(SK, 1), identity: decode(part(SK, 2)) };
}
