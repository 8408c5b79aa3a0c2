import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import type { CopyJob, CopyPlace } from '../../lib/movers/mover.ts';
import { S3Mover } from '../../lib/movers/s3/s3-mover.ts';
import { type S3Server, startS3Server } from './support/s3-server.ts';

/** The first start of the server builds it. */
const buildTimeoutMs = 600_000;
/** The least that S3 allows of a part. */
const partBytes = 5 * 2 ** 20;
const large = Buffer.alloc(4 * partBytes + 1, 'abcdefg');

let server: S3Server;
let mover: S3Mover;
const never = new AbortController().signal;

beforeAll(async () => {
  server = await startS3Server({ isPlain: true });
  const { access_key: accessKey, secret_key: secretKey, region } = server.credentials;
  const parts = { maxSingleBytes: partBytes, minPartBytes: partBytes, parallelParts: 3 };
  mover = new S3Mover({ findKeys: async () => ({ accessKey, secretKey, region }), parts });
  await writeFile(join(server.folder, 'small'), 'hello');
  await writeFile(join(server.folder, 'large'), large);
}, buildTimeoutMs);
afterAll(() => server.stop());

const place = (name: string): CopyPlace => ({
  rse: { id: 'S3', rse: 'S3', attributes: { sign_url: 's3' } },
  pfn: name,
  prefix: `/${server.bucket}/`,
  url: `http://localhost:${server.port}/${server.bucket}/${name.split('/').map(encodeURIComponent).join('/')}`,
});
const jobOf = (from: string, to: string, more: Partial<CopyJob> = {}): CopyJob => ({
  id: 'lease',
  source: place(from),
  destination: place(to),
  replaces: false,
  requireLease: () => {},
  ...more,
});

it.each([
  ['by one request', 'small', Buffer.from('hello')],
  ['in parts', 'large', large],
])(
  'a real S3 server copies %s, with every mark in the name, and again without a second copy',
  async (_how, from, content) => {
    const to = `copies/${from} !'()*é+&=%?#`;
    const job = jobOf(from, to, { bytes: content.length });
    const result = await mover.copy(job, never);
    expect(result.bytes).toBe(content.length);
    expect((await readFile(join(server.folder, to))).equals(content)).toBe(true);
    expect(await mover.copy(job, never)).toEqual(result);
  },
);

it('a real S3 server replaces another object only if it is bad, and checks signatures', async () => {
  await mover.copy(jobOf('small', 'other'), never);
  await expect(mover.copy(jobOf('large', 'other'), never)).rejects.toThrow('exists and is another object');
  await mover.copy(jobOf('large', 'other', { id: 'later lease', replaces: true }), never);
  expect((await readFile(join(server.folder, 'other'))).equals(large)).toBe(true);
  const keys = { accessKey: server.credentials.access_key, secretKey: 'wrong', region: server.credentials.region };
  const thief = new S3Mover({ findKeys: async () => keys });
  await expect(thief.copy(jobOf('small', 'stolen'), never)).rejects.toThrow('403');
});
