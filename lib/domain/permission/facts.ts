import { cachePerTable } from '../../cache.ts';
import { type Account, getAccount } from '../../store/entities/account.ts';
import { getOrigin, type IdentityKey, type Origin } from '../../store/entities/identity.ts';
import { getScope, type Scope } from '../../store/entities/scope.ts';
import type { Store } from '../../store/open-store.ts';

/** The accounts, mappings of identities and scopes on which permissions are decided. */
export interface Facts {
  account(name: string): Promise<Account | undefined>;
  scope(name: string): Promise<Scope | undefined>;
  /** Basis of a token of an identity for an account. */
  origin(account: string, identity: IdentityKey): Promise<Origin | undefined>;
}

/** Bans, changes of ownership and passwords, and the removal of identities take effect within this time. */
const factTtlMs = 60_000;

const limits = { ttlMs: factTtlMs, maxEntries: 5_000, isShared: true };
const accountsOf = cachePerTable<Account>(limits);
const scopesOf = cachePerTable<Scope>(limits);
const originsOf = cachePerTable<Origin>(limits);

const originKey = (account: string, { type, identity }: IdentityKey) => JSON.stringify([account, type, identity]);

/** Facts as the table has them now. Each read also refreshes the cache. */
export function freshFacts({ table }: Store): Facts {
  return {
    account: (name) => accountsOf(table).reload(name, () => getAccount(table, name)),
    scope: (name) => scopesOf(table).reload(name, () => getScope(table, name)),
    origin: (account, identity) =>
      originsOf(table).reload(originKey(account, identity), () => getOrigin(table, account, identity)),
  };
}

/** Facts from the cache, up to a minute old. The absence of an account or a scope is never cached. */
export function cachedFacts(store: Store): Facts {
  const fresh = freshFacts(store);
  return {
    account: async (name) => accountsOf(store.table).get(name) ?? fresh.account(name),
    scope: async (name) => scopesOf(store.table).get(name) ?? fresh.scope(name),
    origin: async (account, identity) =>
      originsOf(store.table).get(originKey(account, identity)) ?? fresh.origin(account, identity),
  };
}

/** Has the next caller read an account that this process has just changed. */
export function invalidateAccount({ table }: Store, name: string): void {
  accountsOf(table).invalidate(name);
}

/** Has the next caller read what tokens of an identity stand on, which this process has just changed. */
export function invalidateOrigin({ table }: Store, account: string, identity: IdentityKey): void {
  originsOf(table).invalidate(originKey(account, identity));
}

/** Has the next caller read a scope that this process has just changed. */
export function invalidateScope({ table }: Store, name: string): void {
  scopesOf(table).invalidate(name);
}
