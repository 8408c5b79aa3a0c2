import { createHmac, createVerify, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { clock } from '../../../lib/clock.ts';
import { signUrl } from '../../../lib/domain/credentials/sign-url.ts';
import { signS3 } from '../../../lib/movers/s3/sign-s3.ts';
import { getSignedUrl } from '../../../lib/operations/credentials/get-signed-url.ts';
import { addProtocol } from '../../../lib/operations/rses/add-protocol.ts';
import { newCatalogue, type Catalogue } from '../dids/catalogue.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });

const credentials = {
  DISK: {
    access_key: 'AKID',
    secret_key: 'SECRET',
    region: 'us-east-1',
    tempurl_key: 'temp',
    gcs: { client_email: 'a@b.iam.gserviceaccount.com', private_key: pem },
  },
};

let folder: string;
let catalogue: Catalogue;
const before = process.env['RSE_CREDENTIALS_FILE'];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dapple-credentials-'));
  process.env['RSE_CREDENTIALS_FILE'] = join(folder, 'credentials.json');
  await writeFile(join(folder, 'credentials.json'), JSON.stringify(credentials));
  catalogue = await newCatalogue();
  const domain = { read: 1, write: 1, delete: 1 };
  const protocol = { hostname: 's3.example.org', port: 9000, prefix: '/bucket/data', impl: 'webdav' };
  await addProtocol(catalogue.at(), 'DISK', 'https', { ...protocol, domains: { lan: domain, wan: domain } });
});
afterAll(async () => {
  if (before === undefined) delete process.env['RSE_CREDENTIALS_FILE'];
  else process.env['RSE_CREDENTIALS_FILE'] = before;
  await rm(folder, { recursive: true });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const base = 'https://s3.example.org:9000/bucket/data';
const sign = (url: string, more: object = {}) =>
  getSignedUrl(catalogue.at(), { rse: 'DISK', url, lifetime: 60, svc: 's3', op: 'read', ...more });

describe('signatures', () => {
  it("of S3 are those of AWS's own example", async () => {
    const signed = await signS3(
      {
        method: 'GET',
        url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
        lifetimeSeconds: 86_400,
        now: Date.UTC(2013, 4, 24),
      },
      {
        accessKey: 'AKIAIOSFODNN7EXAMPLE',
        secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
        region: 'us-east-1',
      },
    );
    expect(new URL(signed).searchParams.get('X-Amz-Signature')).toBe(
      'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    );
  });

  it('of S3 are those that Rucio makes', async () => {
    const now = Date.UTC(2026, 10, 23, 8, 4, 22);
    const request = { url: new URL('https://s3.example.org:9000/bucket/a/b'), lifetimeSeconds: 600, now };
    const keys = { accessKey: 'AKID', secretKey: 'SECRET', region: 'us-east-1' };
    expect(await signS3({ method: 'PUT', ...request }, keys)).toBe(
      'https://s3.example.org:9000/bucket/a/b?X-Amz-Algorithm=AWS4-HMAC-SHA256' +
        '&X-Amz-Credential=AKID%2F20261123%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20261123T080422Z&X-Amz-Expires=600' +
        '&X-Amz-SignedHeaders=host&X-Amz-Signature=8e74b76f61ee3c37f5ac83fd5d141f594938b753ab946cb2f8975e136cc2452c',
    );
  });

  it('of Google can be verified with the public key', async () => {
    const signed = new URL(await sign(`${base}/k`, { svc: 'gcs', op: 'write' }));
    const { Expires: expires, Signature: signature = '', GoogleAccessId: id } = Object.fromEntries(signed.searchParams);
    expect(id).toBe('a@b.iam.gserviceaccount.com');
    const text = `PUT\n\n\n${expires}\n/bucket/data/k`;
    expect(createVerify('RSA-SHA256').update(text).verify(publicKey, signature, 'base64')).toBe(true);
  });

  it('of Swift are those that Rucio makes', async () => {
    vi.spyOn(clock, 'wallTime').mockReturnValue((1_795_421_122 - 60) * 1_000);
    const signed = await sign(`${base}/o`, { svc: 'swift', op: 'delete' });
    const signature = createHmac('sha1', 'temp').update('DELETE\n1795421122\n/bucket/data/o').digest('hex');
    expect(signed).toBe(`${base}/o?temp_url_sig=${signature}&temp_url_expires=1795421122`);
  });
});

describe('URLs to sign (access 6.7)', () => {
  it('are below the prefix of a protocol of the RSE', async () => {
    for (const url of [
      'https://s3.example.org:9000/bucket/other/k',
      'https://s3.example.org:9000/bucket/database/k',
      'https://s3.example.org/bucket/data/k',
      'https://evil.example.org:9000/bucket/data/k',
      'https://u:p@s3.example.org:9000/bucket/data/k',
      'http://s3.example.org:9000/bucket/data/k',
      `${base}/../other/k`,
      `${base}/%2e%2e/other/k`,
      `${base}/..%2Fother/k`,
      `${base}/k?x=1`,
      `${base}/%zz`,
      'no url',
      '',
    ]) {
      await expect(sign(url), url).rejects.toMatchObject({ name: 'UnsupportedOperation' });
    }
    expect(await sign(`${base}/k`)).toContain('X-Amz-Signature=');
  });

  it('are valid for a second to a week', async () => {
    for (const lifetime of [0, -5, 604_801, Number.NaN]) {
      await expect(sign(`${base}/k`, { lifetime })).rejects.toMatchObject({ name: 'UnsupportedOperation' });
    }
  });

  it('need credentials, and a mistake in them shows nothing of them', async () => {
    const rse = { id: 'x', rse: 'NONE', protocols: [], attributes: {} };
    const wish = { service: 's3', operation: 'read', url: `${base}/k`, lifetimeSeconds: 60, now: 0 } as const;
    const protocols = [{ scheme: 'https', hostname: 's3.example.org', port: 9000, prefix: '/bucket/data' }];
    await expect(signUrl({ ...rse, protocols } as never, wish)).rejects.toMatchObject({ name: 'ConfigurationError' });
    const broken = join(folder, 'broken.json');
    await writeFile(broken, '{"DISK": {"secret_key": "very secret"');
    process.env['RSE_CREDENTIALS_FILE'] = broken;
    const failed = sign(`${base}/k`);
    await expect(failed).rejects.toThrow('no JSON object');
    await expect(failed).rejects.not.toThrow('very secret');
    process.env['RSE_CREDENTIALS_FILE'] = join(folder, 'credentials.json');
  });
});
