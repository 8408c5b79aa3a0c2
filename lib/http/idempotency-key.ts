import { createHmac, timingSafeEqual } from 'node:crypto';

import { maxKeyCharacters, acceptsIdempotencyKey } from '../contract/idempotency.ts';
import { type TokenKey, getTokenKeys } from '../domain/tokens/token-keys.ts';
import { fail } from '../errors.ts';
import type { Claim } from '../store/entities/kept-answer.ts';
import type { Exchange } from './exchange.ts';

/** A string as a structured field: printable ASCII in quotes, with `\` as escape (RFC 8941, 3.3.3). */
const quotedString = /^"((?:[\u0020\u0021\u0023-\u005b\u005d-\u007e]|\\["\\])*)"$/;

/**
 * Reads the header `Idempotency-Key` of a writing request: the account, the key and a fingerprint of the request.
 * Undefined for every other request.
 *
 * @throws InvalidObject (400) for a key that is empty, too long, or begins with a quote and is not a valid string.
 */
export async function readClaim(exchange: Exchange): Promise<Claim | undefined> {
  const { match, http, issuer } = exchange;
  const header = http.headers['idempotency-key'];
  if (header === undefined || issuer === undefined || match === undefined || !acceptsIdempotencyKey(match.route))
    return undefined;
  const { signing } = await getTokenKeys();
  return { account: issuer.account, key: readKey(header), fingerprint: sign(signing, describeContent(exchange)) };
}

/** Whether a fingerprint is that of this request. */
export async function isFingerprintOf(exchange: Exchange, fingerprint: string): Promise<boolean> {
  const { accepted } = await getTokenKeys();
  const content = describeContent(exchange);
  return accepted.some((key) => isSame(sign(key, content), fingerprint));
}

function readKey(header: string): string {
  const text = header.trim();
  const key = text.startsWith('"') ? quotedString.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1') : text;
  if (key === undefined) fail('InvalidObject', 'Problem validating Idempotency-Key: it is no string in quotes');
  if (key === '' || key.length > maxKeyCharacters) {
    fail('InvalidObject', `Problem validating Idempotency-Key: it must have 1 to ${maxKeyCharacters} characters`);
  }
  return key;
}

/** Everything that decides what a request does, except its sender and its time. */
function describeContent({ match, http }: Exchange): string {
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

/**
 * The fingerprint is keyed because the content may hold a password, which anybody who reads the table could guess from
 * a plain hash.
 */
function sign({ bytes }: TokenKey, content: string): string {
  const key = createHmac('sha256', bytes).update('fingerprints of requests').digest();
  return createHmac('sha256', key).update(content).digest('base64url');
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
