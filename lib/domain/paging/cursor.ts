import { createHmac, timingSafeEqual } from 'node:crypto';

import { fail } from '../../errors.ts';
import { parseNamed } from '../../json-names.ts';
import { type TokenKey, getTokenKeys } from '../tokens/token-keys.ts';
import type { Position } from './page.ts';

/** Increment it when the positions of a list change their form: older cursors are then refused instead of misread. */
const formatVersion = 1;

/** 128 bits: impossible to guess, and cursors stay short. */
const signatureBytes = 16;

/**
 * Makes a cursor: a position in a list, signed together with the list, so that forged tokens and tokens of other
 * lists are refused. It has no expiry, since a position stays valid. It is refused once its key is rotated out
 * (docs/adr/0013-token-key-rotation.md).
 *
 * @param list Identifies the list: its route, parameters and query.
 */
export async function sealCursor(list: string, position: Position): Promise<string> {
  const text = JSON.stringify(position);
  const { signing } = await getTokenKeys();
  return Buffer.concat([sign(signing, list, text), Buffer.from(text)]).toString('base64url');
}

/**
 * Reads the position out of a cursor.
 *
 * @throws InvalidObject (400) if the cursor is not one of this list.
 */
export async function openCursor(list: string, cursor: string): Promise<Position> {
  const bytes = Buffer.from(cursor, 'base64url');
  const text = bytes.subarray(signatureBytes).toString();
  const signature = bytes.subarray(0, signatureBytes);
  // Reject non-canonical base64url.
  const isOurs = bytes.toString('base64url') === cursor && signature.length === signatureBytes;
  const { accepted } = await getTokenKeys();
  if (!isOurs || !accepted.some((key) => timingSafeEqual(signature, sign(key, list, text)))) refuseCursor();
  return parseNamed(text) as Position;
}

/** @throws InvalidObject (400), for a cursor of another list. */
export function refuseCursor(): never {
  fail('InvalidObject', 'Problem validating cursor: it was not given for this list; begin the list anew without it');
}

function sign({ bytes }: TokenKey, list: string, text: string): Buffer {
  const key = createHmac('sha256', bytes).update('cursors of lists').digest();
  return createHmac('sha256', key)
    .update(JSON.stringify([formatVersion, list, text]))
    .digest()
    .subarray(0, signatureBytes);
}
