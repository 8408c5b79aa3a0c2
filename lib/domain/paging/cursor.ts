import { createHmac, timingSafeEqual } from 'node:crypto';

import { fail } from '../../errors.ts';
import { type TokenKey, getTokenKeys } from '../tokens/token-keys.ts';
import type { Position } from './page.ts';

/** Raised when positions of any list get another form, so that cursors of before are refused and not misread. */
const form = 1;

/** 128 bits: nobody guesses a signature, and cursors stay short. */
const signatureLength = 16;

/**
 * A text that names a position in a list: the position and a signature of it and the list, so that it can be told apart
 * from whatever we have not written, and from cursors of other lists. It has no end of its own: it holds nothing but a
 * position, which stays good; it is refused once the key that signed it is forgotten (docs/adr/0013-token-key-rotation.md).
 *
 * @param list What the list is: its route, parameters and query.
 */
export async function sealCursor(list: string, position: Position): Promise<string> {
  const text = JSON.stringify(position);
  const { signing } = await getTokenKeys();
  return Buffer.concat([sign(signing, list, text), Buffer.from(text)]).toString('base64url');
}

/**
 * Reads the position out of a cursor.
 *
 * @throws InvalidObject (400) when the cursor was not given for this list.
 */
export async function openCursor(list: string, cursor: string): Promise<Position> {
  const bytes = Buffer.from(cursor, 'base64url');
  const text = bytes.subarray(signatureLength).toString();
  const signature = bytes.subarray(0, signatureLength);
  // What decodes to a cursor is none unless it is spelled like one.
  const isOurs = bytes.toString('base64url') === cursor && signature.length === signatureLength;
  const { accepted } = await getTokenKeys();
  if (!isOurs || !accepted.some((key) => timingSafeEqual(signature, sign(key, list, text)))) refuseCursor();
  return JSON.parse(text) as Position;
}

/** Answers InvalidObject (400) to a cursor that was given for another list. */
export function refuseCursor(): never {
  fail('InvalidObject', 'Problem validating cursor: it was not given for this list; begin the list anew without it');
}

function sign({ bytes }: TokenKey, list: string, text: string): Buffer {
  const key = createHmac('sha256', bytes).update('cursors of lists').digest();
  return createHmac('sha256', key)
    .update(JSON.stringify([form, list, text]))
    .digest()
    .subarray(0, signatureLength);
}
