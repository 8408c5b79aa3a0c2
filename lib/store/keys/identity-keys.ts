import { accountKeys } from './account-keys.ts';
import { decode, encode, join, type Key, part, rangeOf } from './key-parts.ts';

// The first parts of the keys below. Constants rather than an object, and calls that are marked as pure, so that bundles
// contain only the keys that they use.
const partitionPrefix = 'I';
const accountPrefix = 'ACCOUNT';
const failuresPrefix = 'LOGINS';
const identityPrefix = 'IDENTITY';
const usedChallengePrefix = 'SSHUSED';

/** The keys of identities and of their mappings. A mapping has an item at the account and one at the identity. */
export const identityKeys = {
  partition: (type: string, identity: string): string => join(partitionPrefix, type, encode(identity)),
  identity: (type: string, identity: string): Key => ({
    PK: identityKeys.partition(type, identity),
    SK: identityPrefix,
  }),
  identityAccount: (type: string, identity: string, account: string): Key => ({
    PK: identityKeys.partition(type, identity),
    SK: join(accountPrefix, account),
  }),
  identityAccounts: rangeOf(accountPrefix),
  /** Not in the partition of the identity, which is read as a whole. */
  loginFailures: (type: string, identity: string): Key => ({
    PK: join(failuresPrefix, type, encode(identity)),
    SK: failuresPrefix,
  }),
  /** One partition each. */
  usedChallenge: (account: string, challenge: string): Key => ({
    PK: join(usedChallengePrefix, account, challenge),
    SK: usedChallengePrefix,
  }),
  accountIdentity: (account: string, type: string, identity: string): Key => ({
    PK: accountKeys.partition(account),
    SK: join(identityPrefix, type, encode(identity)),
  }),
  accountIdentities: rangeOf(identityPrefix),
} as const;

/** Reads the identity back out of an account's identity item. */
export function identityOf({ SK }: Key): { type: string; identity: string } {
  return { type: part(SK, 1), identity: decode(part(SK, 2)) };
}
