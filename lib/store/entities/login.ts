import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { accountKeys } from '../keys/account-keys.ts';
import { identityKeys } from '../keys/identity-keys.ts';
import type { Key } from '../keys/key-parts.ts';
import { type Account, toAccount } from './account.ts';
import { type Identity, type IdentityKey, toIdentity } from './identity.ts';

/** The recent login failures of an account, or of an identity without one. */
export interface Failures {
  readonly count: number;
  /** The end of the window, in milliseconds since 1970. */
  readonly until: number;
}

/** The owner of login failures: an account, or an identity without one. */
export type FailuresOf = { readonly account: string } | IdentityKey;

/** The data that decide on a login. */
export interface LoginFacts {
  readonly account: Account | undefined;
  readonly identity: Identity | undefined;
  /** The identity may act for the account. */
  readonly isMapped: boolean;
  readonly failures: Failures | undefined;
}

/** The key of the item that counts login failures. */
export function failuresKey(whose: FailuresOf): Key {
  return 'account' in whose
    ? accountKeys.loginFailures(whose.account)
    : identityKeys.loginFailures(whose.type, whose.identity);
}

/** Reads the login failures of an account or an identity. */
export async function getFailures(table: Table, whose: FailuresOf): Promise<Failures | undefined> {
  const item = await table.get(failuresKey(whose));
  return item && toFailures(item);
}

/** Reads the data that decide on a login, in one request. */
export async function getLoginFacts(table: Table, account: string, key: IdentityKey): Promise<LoginFacts> {
  const wanted = {
    account: accountKeys.account(account),
    identity: identityKeys.identity(key.type, key.identity),
    mapping: identityKeys.accountIdentity(account, key.type, key.identity),
    failures: accountKeys.loginFailures(account),
  };
  const items = await table.getMany(Object.values(wanted));
  const find = ({ PK, SK }: { PK: string; SK: string }) => items.find((item) => item.PK === PK && item.SK === SK);
  const [found, identity, failures] = [find(wanted.account), find(wanted.identity), find(wanted.failures)];
  return {
    account: found && toAccount(found),
    identity: identity && toIdentity(identity, key),
    isMapped: find(wanted.mapping) !== undefined,
    failures: failures && toFailures(failures),
  };
}

/** Reads the failures out of the item that counts them. */
export function toFailures(item: Item): Failures | undefined {
  const { wrong, until } = item;
  return until === undefined ? undefined : { count: wrong instanceof Set ? wrong.size : 0, until: Number(until) };
}
