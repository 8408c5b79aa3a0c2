import { randomBytes } from 'node:crypto';

import type { WantedUser } from './wanted-users.ts';

/** A change that a catalogue needs. */
export interface UserChange {
  /** What it does, in words. */
  readonly text: string;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** Printed once it is done. */
  readonly secret?: string;
}

/** Asks a catalogue. */
export interface Ask {
  /** A JSON document, or one in each line; undefined: there is no such thing. */
  readonly get: (path: string) => Promise<unknown>;
}

const madePasswordBytes = 12;
const encode = encodeURIComponent;

/**
 * The changes that make a user as wanted; none if it is. What the row does not name stays.
 *
 * @throws Error if the account was deleted, or an RSE of a quota does not exist.
 */
export async function planUser(user: WantedUser, ask: Ask): Promise<UserChange[]> {
  const path = `/accounts/${encode(user.account)}`;
  const found = (await ask.get(path)) as { status: string; email: string | null } | undefined;
  if (found !== undefined && found.status !== 'ACTIVE')
    throw new Error(`The account ${user.account} is ${found.status}.`);
  await requireRses(user, ask);
  const exists = found !== undefined;
  return [
    ...planAccount(user, path, found),
    ...(await planIdentity(user, path, ask, exists)),
    ...(await planAttributes(user, path, ask, exists)),
    ...(await planScopes(user, path, ask, exists)),
    ...(await planQuotas(user, path, ask, exists)),
  ];
}

async function requireRses({ account, quotas }: WantedUser, ask: Ask): Promise<void> {
  for (const rse of quotas.keys()) {
    if ((await ask.get(`/rses/${encode(rse)}`)) === undefined) throw new Error(`${account}: there is no RSE ${rse}.`);
  }
}

function planAccount(
  { type, email }: WantedUser,
  path: string,
  found: { email: string | null } | undefined,
): UserChange[] {
  if (found === undefined) return [{ text: `account of type ${type}`, method: 'POST', path, body: { type, email } }];
  if (email === '' || found.email === email) return [];
  return [{ text: `address ${email}`, method: 'PUT', path, body: { email } }];
}

async function planIdentity(user: WantedUser, path: string, ask: Ask, exists: boolean): Promise<UserChange[]> {
  const { username, email } = user;
  const known = exists ? ((await ask.get(`${path}/identities`)) as { type: string; identity: string }[]) : [];
  if (known.some(({ type, identity }) => type === 'USERPASS' && identity === username)) return [];
  const password = user.password || randomBytes(madePasswordBytes).toString('base64url');
  const made = user.password === '' ? { secret: `password of ${username}: ${password}` } : {};
  const body = { identity: username, authtype: 'USERPASS', email, password };
  return [{ text: `log-in of ${username}`, method: 'POST', path: `${path}/identities`, body, ...made }];
}

async function planAttributes(
  { attributes }: WantedUser,
  path: string,
  ask: Ask,
  exists: boolean,
): Promise<UserChange[]> {
  const list = exists ? ((await ask.get(`${path}/attr`)) as { key: string; value: unknown }[]) : [];
  const known = new Map(list.map(({ key, value }) => [key, String(value)]));
  return [...attributes].flatMap(([key, value]): UserChange[] => {
    if (known.get(key) === value) return [];
    const own = `${path}/attr/${encode(key)}`;
    const text = `${key}=${value}`;
    const set: UserChange = { text, method: 'POST', path: own, body: { key, value } };
    return known.has(key) ? [{ text: `not ${key}=${known.get(key)}`, method: 'DELETE', path: own }, set] : [set];
  });
}

async function planScopes(
  { account, scopes }: WantedUser,
  path: string,
  ask: Ask,
  exists: boolean,
): Promise<UserChange[]> {
  const known = exists ? ((await ask.get(`${path}/scopes/`)) as string[] | undefined) : [];
  return scopes
    .filter((scope) => known?.includes(scope) !== true)
    .map((scope) => ({ text: `scope ${scope}`, method: 'POST', path: `/scopes/${encode(account)}/${encode(scope)}` }));
}

async function planQuotas({ quotas }: WantedUser, path: string, ask: Ask, exists: boolean): Promise<UserChange[]> {
  const known = exists ? ((await ask.get(`${path}/limits/local`)) as Record<string, number>) : {};
  return [...quotas]
    .filter(([rse, bytes]) => known[rse] !== bytes)
    .map(([rse, bytes]) => ({
      text: `${bytes < 0 ? 'any number of' : bytes} bytes on ${rse}`,
      method: 'POST',
      path: `${path}/limits/local/${encode(rse)}`,
      body: { bytes },
    }));
}
