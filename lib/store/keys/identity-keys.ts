import { decode, encode, join, type Key, part } from './key-parts.ts';

/** The keys of identities and of their mappings, which lie with the account and with the identity. */
export const identityKeys = {
  partition: (type: string, identity: string): string => join('I', type, encode(identity)),
  identity: (type: string, identity: string): Key => ({ PK: identityKeys.partition(type, identity), SK: 'IDENTITY' }),
  identityAccount: (type: string, identity: string, account: string): Key => ({
    PK: identityKeys.partition(type, identity),
    SK: join('ACCOUNT', account),
  }),
  identityAccounts: { from: 'ACCOUNT#', to: 'ACCOUNT$' },
  /** Apart from the identity, whose partition is read as a whole. */
  loginFailures: (type: string, identity: string): Key => ({
    PK: join('LOGINS', type, encode(identity)),
    SK: 'LOGINS',
  }),
  accountIdentity: (account: string, type: string, identity: string): Key => ({
    PK: join('A', account),
    SK: join('IDENTITY', type, encode(identity)),
  }),
  accountIdentities: { from: 'IDENTITY#', to: 'IDENTITY$' },
} as const;

/** Reads the identity back out of an account's identity item. */
export function identityOf({ SK }: Key): { type: string; identity: string } {
  return { type: part(SK, 1), identity: decode(part(SK, 2)) };
}
