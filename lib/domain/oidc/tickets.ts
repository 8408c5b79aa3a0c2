import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import { getTokenKeys, type TokenKey } from '../tokens/token-keys.ts';

/** The texts of a log-in that leave Dapple: for the browser, for the provider, for the user to type. */
export type Purpose = 'ticket' | 'state' | 'code';

/** Lengths in hexadecimal digits; together Rucio's 50. */
const [idDigits, tagDigits] = [24, 26];

/** A text of a log-in that we have signed. */
export interface OpenTicket {
  /** The id of the log-in. */
  readonly id: string;
  /** The key that has signed it. */
  readonly key: TokenKey;
}

/** The id of a new log-in. */
export function newLoginId(): string {
  return randomBytes(idDigits / 2).toString('hex');
}

/** The key that signs now. */
export async function getSigningKey(): Promise<TokenKey> {
  return (await getTokenKeys()).signing;
}

/** A text of a log-in: its id, signed for a purpose, so that none can be guessed or made out of another one. */
export function writeTicket(purpose: Purpose, { id, key }: OpenTicket): string {
  return id + digest(key, purpose, id).toString('hex').slice(0, tagDigits);
}

/** Reads a text of a log-in; undefined if it is not one of ours for this purpose. Costs no read. */
export async function readTicket(purpose: Purpose, text: string): Promise<OpenTicket | undefined> {
  if (text.length !== idDigits + tagDigits) return undefined;
  const id = text.slice(0, idDigits);
  const { accepted } = await getTokenKeys();
  const key = accepted.find((candidate) => isEqual(text, writeTicket(purpose, { id, key: candidate })));
  return key && { id, key };
}

/** The nonce that the ID token must repeat, and the PKCE verifier of a log-in. Neither is stored. */
export function proofsOf({ id, key }: OpenTicket): { readonly nonce: string; readonly verifier: string } {
  const proof = (name: string) => digest(key, name, id).toString('base64url');
  return { nonce: proof('nonce'), verifier: proof('verifier') };
}

const digest = ({ bytes }: TokenKey, purpose: string, id: string) =>
  createHmac('sha256', bytes).update(`oidc ${purpose}\n${id}`).digest();

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
