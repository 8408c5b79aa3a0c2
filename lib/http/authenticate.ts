import { identify } from '../domain/auth/identify.ts';
import { fail } from '../errors.ts';
import { beginRequest } from '../store/open-store.ts';
import type { Edge, EdgeRequest } from './exchange.ts';

/**
 * Turns `X-Rucio-Auth-Token`, or a bearer token, into the issuer of the request. Account and identity come from the token alone; that the
 * account is active is remembered for a minute, so that a check costs no read (spec/access.md 1.1, 1.5).
 */
export function authenticate(): Edge {
  const issuerOf = async ({ context: { exchange } }: EdgeRequest) => {
    if (exchange.match === undefined || exchange.match.route.permission === 'open') return;
    const token = tokenOf(exchange.http.headers);
    if (token === undefined) fail('CannotAuthenticate', 'Token must be set.');
    exchange.issuer = await identify(beginRequest(), token);
  };
  return { before: issuerOf };
}

/** The official client sends its header empty while it has no token. */
function tokenOf(headers: Readonly<Record<string, string>>): string | undefined {
  const token = headers['x-rucio-auth-token']?.trim();
  return token || /^bearer +(\S+)$/i.exec(headers['authorization']?.trim() ?? '')?.[1];
}
