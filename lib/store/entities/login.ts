import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { accountKeys } from '../keys/account-keys.ts';
import { identityKeys } from '../keys/identity-keys.ts';
import type { Key } from '../keys/key-parts.ts';
import { type Account, toAccount } from './account.ts';
import { type Identity, type IdentityKey, type StoredMapping, toIdentity, toMapping } from './identity.ts';

/** The recent login failures of an account, or of an identity. */
export interface Failures {
  readonly count: number;
  /** The end of the window, in milliseconds since 1970. */
  readonly until: number;
}

/** The owner of login failures. */
export type FailuresOf = { readonly account: string } | IdentityKey;

/** The data that decide on a login. */
export interface LoginFacts {
  readonly account: Account | undefined;
  readonly identity: Identity | undefined;
  /** Proof that the identity may act for the account. */
  readonly mapping: StoredMapping | undefined;
  /** The failed log-ins of the account, and those of the identity. */
  readonly failures: readonly Counted[];
}

/** Login failures, and whose they are. */
export interface Counted {
  readonly whose: FailuresOf;
  /** Undefined: none. */
  readonly known: Failures | undefined;
}

/** The key of the item that counts login failures. */
export function failuresKey(whose: FailuresOf): Key {
  return 'account' in whose
    ? accountKeys.loginFailures(whose.account)
    : identityKeys.loginFailures(whose.type, whose.identity);
}

/** Reads the login failures of accounts and identities, in one request. */
export async function getFailures(table: Table, owners: readonly FailuresOf[]): Promise<Counted[]> {
  const items = await table.getMany(owners.map(failuresKey));
  return owners.map((whose) => countedIn(items, whose));
}

/** Reads the data that decide on a login, in one request. */
export async function getLoginFacts(table: Table, account: string, key: IdentityKey): Promise<LoginFacts> {
  const wanted = {
    account: accountKeys.account(account),
    identity: identityKeys.identity(key.type, key.identity),
    mapping: identityKeys.accountIdentity(account, key.type, key.identity),
    failures: failuresKey({ account }),
    failuresOfIdentity: failuresKey(key),
  };
  const items = await table.getMany(Object.values(wanted));
  const find = ({ PK, SK }: { PK: string; SK: string }) => items.find((item) => item.PK === PK && item.SK === SK);
  const [found, identity, mapping] = [find(wanted.account), find(wanted.identity), find(wanted.mapping)];
  return {
    account: found && toAccount(found),
    identity: identity && toIdentity(identity, key),
    mapping: mapping && toMapping(mapping, { ...key, account }),
    failures: [countedIn(items, { account }), countedIn(items, key)],
  };
}

function countedIn(items: readonly Item[], whose: FailuresOf): Counted {
  const { PK, SK } = failuresKey(whose);
  const item = items.find((found) => found.PK === PK && found.SK === SK);
  return { whose, known: item && toFailures(item) };
}

/** Reads the failures out of the item that counts them. */
export function toFailures(item: Item): Failures | undefined {
  const { wrong, until } = item;
  return until === undefined ? undefined : { count: wrong instanceof Set ? wrong.size : 0, until: Number(until) };
}
