import { SignJWT } from 'jose';

import { expectStatus } from '../../support/replicas.ts';
import { asRoot, type Client, newAccount } from '../../support/server.ts';
import type { CallerName } from './caller-names.ts';

/** The country whose RSEs `country` administers. */
export const country = 'ch';

/** The callers' accounts and the tokens that they show. */
export interface Callers {
  readonly accounts: {
    readonly admin: Client;
    readonly owner: Client;
    readonly country: Client;
    readonly other: Client;
  };
  readonly tokens: Readonly<Record<CallerName, string | undefined>>;
}

/**
 * Makes the callers. With a valid token, those without one would be allowed everything: the suspended account is an admin, the
 * expired and the tampered token are root's.
 *
 * @param tokenKey The key of the server under test.
 */
export async function makeCallers(tokenKey: string): Promise<Callers> {
  const [admin, owner, countryAdmin, other, suspended] = await Promise.all([
    newAccount({ admin: true, prefix: 'admin' }),
    newAccount({ prefix: 'owner' }),
    newAccount({ prefix: 'ctry' }),
    newAccount({ prefix: 'other' }),
    newAccount({ admin: true, prefix: 'susp' }),
  ]);
  const root = asRoot();
  const right = `/accounts/${countryAdmin.account}/attr/country-${country}`;
  expectStatus(await root.post(right, { value: 'admin' }), 201);
  const suspendedToken = await suspended.token();
  expectStatus(await root.put(`/accounts/${suspended.account}`, { status: 'SUSPENDED' }), 200);
  const rootToken = await root.token();
  const tokens = {
    root: rootToken,
    admin: await admin.token(),
    owner: await owner.token(),
    country: await countryAdmin.token(),
    other: await other.token(),
    anonymous: undefined,
    suspended: suspendedToken,
    expired: await expiredToken(rootToken, tokenKey),
    tampered: tampered(await other.token()),
  };
  return { accounts: { admin, owner, country: countryAdmin, other }, tokens };
}

/** Signs a token again with the same key, expired a second ago. */
async function expiredToken(token: string, key: string): Promise<string> {
  const [header = '', claims = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...(JSON.parse(claims) as object), iat: now - 3_601, exp: now - 1 })
    .setProtectedHeader(JSON.parse(header) as { alg: string })
    .sign(new TextEncoder().encode(key));
}

/** Replaces the account of a token by root, without signing it again. */
function tampered(token: string): string {
  const [header, claims = '', signature] = token.split('.');
  const changed = { ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as object), sub: 'root' };
  return [header, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
}
