import { createHmac, timingSafeEqual } from 'node:crypto';

import { longestKey, takesKey } from '../contract/idempotency.ts';
import { type TokenKey, getTokenKeys } from '../domain/tokens/token-keys.ts';
import { fail } from '../errors.ts';
import type { Claim } from '../store/entities/kept-answer.ts';
import type { Exchange } from './exchange.ts';

/** A structured field's string: printable ASCII in quotes, some of it behind a backslash (RFC 8941, 3.3.3). */
const quoted = /^"((?:[\u0020\u0021\u0023-\u005b\u005d-\u007e]|\\["\\])*)"$/;

/**
 * What a request is known by, should it come again: of a request that writes and has the header `Idempotency-Key`.
 *
 * @throws InvalidObject (400) for a key that is empty, too long, or begins with a quote and is no string.
 */
export async function readClaim(exchange: Exchange): Promise<Claim | undefined> {
  const { match, http, issuer } = exchange;
  const header = http.headers['idempotency-key'];
  if (header === undefined || issuer === undefined || match === undefined || !takesKey(match.route)) return undefined;
  const { signing } = await getTokenKeys();
  return { account: issuer.account, key: readKey(header), fingerprint: sign(signing, contentOf(exchange)) };
}

/** Whether a fingerprint is that of a request. */
export async function isFingerprintOf(exchange: Exchange, fingerprint: string): Promise<boolean> {
  const { accepted } = await getTokenKeys();
  const content = contentOf(exchange);
  return accepted.some((key) => isSame(sign(key, content), fingerprint));
}

function readKey(header: string): string {
  const text = header.trim();
  const key = text.startsWith('"') ? quoted.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1') : text;
  if (key === undefined) fail('InvalidObject', 'Problem validating Idempotency-Key: it is no string in quotes');
  if (key === '' || key.length > longestKey) {
    fail('InvalidObject', `Problem validating Idempotency-Key: it must have 1 to ${longestKey} characters`);
  }
  return key;
}

/** All that decides on what a request does, but for who sends it and when. */
function contentOf({ match, http }: Exchange): string {
  const parameters = Object.keys(match?.route.headers?.shape ?? {}).map((name) => name.toLowerCase());
  return JSON.stringify([
    match?.id,
    match?.params,
    Object.entries(http.queryLists).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    parameters.map((name) => http.headers[name]),
    http.certificateDn,
    http.body,
  ]);
}

/** Keyed, since what it is made of can hold a password, and whoever reads the table could try them all. */
function sign({ bytes }: TokenKey, content: string): string {
  const key = createHmac('sha256', bytes).update('fingerprints of requests').digest();
  return createHmac('sha256', key).update(content).digest('base64url');
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
