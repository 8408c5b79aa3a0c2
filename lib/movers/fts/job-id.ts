import { createHash } from 'node:crypto';

/** The id that FTS gives a job, from what it tells about its caller and the seed of the job (`id_generator`). */
export function computeJobId({ baseId, vo }: { readonly baseId: string; readonly vo: string }, seed: string): string {
  return makeUuid(makeUuid(baseId, vo), seed);
}

/** A UUID of version 5: of a name in a namespace, which is a UUID itself. */
function makeUuid(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest();
  const bytes = hash.subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
