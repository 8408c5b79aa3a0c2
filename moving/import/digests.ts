import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';

import { parseNamed } from '../../lib/json-names.ts';

/** Bytes of a digest: two states of one item have the same one once in 10^19 times. */
const digestBytes = 8;

/** A digest of the text of an item. */
export function digestOf(text: string): string {
  return createHash('md5').update(text).digest().toString('latin1', 0, digestBytes);
}

/** Packs digests by key: the digests, then the keys, which are alike, as gzip. */
export function packDigests(digests: ReadonlyMap<string, string>): Buffer {
  const keys = gzipSync(JSON.stringify([...digests.keys()]), { level: 1 });
  return Buffer.concat([Buffer.from([...digests.values()].join(''), 'latin1'), keys, lengthOf(digests.size)]);
}

/** Reverses {@link packDigests}. */
export function unpackDigests(packed: Uint8Array): Map<string, string> {
  const bytes = Buffer.from(packed);
  const end = bytes.length - lengthBytes;
  const count = bytes.readUInt32BE(end);
  const keys = parseNamed(gunzipSync(bytes.subarray(count * digestBytes, end)).toString()) as string[];
  return new Map(
    keys.map((key, index) => [key, bytes.toString('latin1', index * digestBytes, (index + 1) * digestBytes)]),
  );
}

const lengthBytes = 4;

function lengthOf(count: number): Buffer {
  const bytes = Buffer.alloc(lengthBytes);
  bytes.writeUInt32BE(count);
  return bytes;
}
