import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

import { parseNamed } from '../../json-names.ts';
import { type Key, textOfKey } from '../keys/key-parts.ts';

/*
 * Compressed lists of keys. The keys of one request share long prefixes, and the same names occur in several of them: a
 * thousand numbered names take some hundred bytes, a thousand random ones hardly more than their entropy.
 */

/** Packs keys; their order is lost. */
export function packKeys(keys: readonly Key[]): Uint8Array {
  if (keys.length === 0) return new Uint8Array();
  const parts: (string | number)[] = [];
  let former = '';
  for (const text of keys.map(textOfKey).toSorted()) {
    const shared = sharedLength(former, text);
    parts.push(shared, text.slice(shared));
    former = text;
  }
  return brotliCompressSync(JSON.stringify(parts), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
}

/** Unpacks keys, sorted. */
export function unpackKeys(packed: Uint8Array): Key[] {
  if (packed.length === 0) return [];
  const parts = parseNamed(brotliDecompressSync(packed).toString('utf8')) as (string | number)[];
  const keys: Key[] = [];
  let former = '';
  for (let index = 0; index < parts.length; index += 2) {
    former = former.slice(0, Number(parts[index])) + String(parts[index + 1]);
    const end = former.indexOf('\n');
    keys.push({ PK: former.slice(0, end), SK: former.slice(end + 1) });
  }
  return keys;
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return length;
}
