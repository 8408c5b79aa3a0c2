import type { Item } from '../item.ts';
import { accountKeys } from '../keys/account-keys.ts';
import { identityKeys } from '../keys/identity-keys.ts';
import { LostRace, type Write } from '../plan.ts';
import type { Table } from '../table.ts';
import { type Account, toAccount } from './account.ts';
import { type Identity, type IdentityKey, toIdentity } from './identity.ts';

/** The wrong passwords that an account has lately been tried with. */
export interface Failures {
  readonly count: number;
  /** When they are forgotten, in milliseconds since 1970. */
  readonly until: number;
}

/** What decides on a login. */
export interface LoginFacts {
  readonly account: Account | undefined;
  readonly identity: Identity | undefined;
  /** The identity may act for the account. */
  readonly isMapped: boolean;
  readonly failures: Failures | undefined;
}

/** Reads what decides on a login, in one request. */
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

/**
 * The write that counts a wrong password; the first one opens a window of time, at whose end all are forgotten.
 *
 * @param window In milliseconds.
 */
export async function countFailure(table: Table, account: string, now: number, window: number): Promise<Write> {
  const key = accountKeys.loginFailures(account);
  const retry = () => new LostRace();
  const until = now + window;
  const first = { count: 1, until, ttl: Math.ceil(until / 1000) };
  const item = await table.get(key);
  if (item === undefined) return { kind: 'insert', item: { ...key, ...first }, onExists: retry };
  const known = toFailures(item);
  const patch = known.until > now ? { add: { count: 1 } } : { set: first };
  return { kind: 'change', key, patch, when: { until: known.until }, onMismatch: retry };
}

function toFailures(item: Item): Failures {
  return { count: Number(item['count']), until: Number(item['until']) };
}
