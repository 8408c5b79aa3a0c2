import { identify } from '../domain/auth/identify.ts';
import type { Issuer } from '../domain/values/context.ts';
import { fail, RucioError } from '../errors.ts';
import { beginRequest } from '../store/open-store.ts';
import type { Edge, EdgeRequest } from './exchange.ts';

/**
 * Turns `X-Rucio-Auth-Token`, or a bearer token, into the issuer of the request. Account and identity come from the
 * token alone. Whether the account is active is cached for a minute, so that a check costs no read (spec/access.md 1.1,
 * 1.5).
 */
export function authenticate(): Edge {
  const identifyIssuer = async ({ context: { exchange } }: EdgeRequest) => {
    const { match } = exchange;
    if (match === undefined) return;
    const { permission, token: use } = match.route;
    if (permission === 'open' && use === undefined) return;
    const token = readToken(exchange.http.headers);
    if (permission === 'open') {
      const guest = token === undefined ? undefined : await identifyGuest(token);
      if (guest !== undefined) exchange.issuer = guest;
      return;
    }
    if (token === undefined) fail('CannotAuthenticate', 'Token must be set.');
    exchange.issuer = await identify(beginRequest(), token);
  };
  return { before: identifyIssuer };
}

/** A route that needs no token ignores an invalid one. */
async function identifyGuest(token: string): Promise<Issuer | undefined> {
  try {
    return await identify(beginRequest(), token);
  } catch (error) {
    if (error instanceof RucioError && error.name === 'CannotAuthenticate') return undefined;
    throw error;
  }
}

/** The official client sends an empty header while it has no token. */
function readToken(headers: Readonly<Record<string, string>>): string | undefined {
  const token = headers['x-rucio-auth-token']?.trim();
  return token || /^bearer +(\S+)$/i.exec(headers['authorization']?.trim() ?? '')?.[1];
}
