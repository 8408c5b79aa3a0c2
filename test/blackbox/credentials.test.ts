import { beforeAll, describe, expect, it } from 'vitest';

import { addProtocol, everywhere, expectStatus, newStorageRse, register } from '../support/replicas.ts';
import { asRoot, type Client, expectError, newAccount, newScope, uniqueName } from '../support/server.ts';

const root = asRoot();

let rse: string;
let base: string;
let alice: Client;
beforeAll(async () => {
  [rse, alice] = await Promise.all([newStorageRse({}), newAccount()]);
  base = `https://${rse.toLowerCase()}.example.org:443/bucket`;
  await addProtocol(rse, 'https', {
    hostname: `${rse.toLowerCase()}.example.org`,
    port: 443,
    prefix: '/bucket',
    impl: 'rucio.rse.protocols.webdav.NoRename',
    domains: everywhere,
  });
  expectStatus(await root.post(`/rses/${rse}/attr/sign_url`, { value: 's3' }), 201);
});

const path = (query: Record<string, string>) => `/credentials/signurl?${new URLSearchParams(query).toString()}`;
const url = () => `${base}/a/b`;

describe('signed URLs (access 6.7)', () => {
  it('need an RSE and a URL, a known service and a known operation', async () => {
    const refused = async (query: Record<string, string>, message: string) =>
      expectError(await root.get(path(query)), 400, 'ValueError', message);
    await refused({ url: url() }, 'Parameter "rse" not found');
    await refused({ rse }, 'Parameter "url" not found');
    await refused(
      { rse, url: url(), svc: 'x' },
      'Parameter "svc" must be either empty (which defaults to "gcs"), "gcs", "s3" or "swift"',
    );
    await refused(
      { rse, url: url(), op: 'x' },
      'Parameter "op" must be either empty (which defaults to "read"), "read", "write", or "delete".',
    );
    expectError(await root.get(path({ rse: uniqueName('NONE').toUpperCase(), url: url() })), 404, 'RSENotFound');
    const asJson = { headers: { Accept: 'application/json' } };
    expectError(await root.get(path({ rse, url: url() }), asJson), 406, 'UnsupportedRequestedContentType');
  });

  it('are made under both names for root and accounts with the attribute sign-url, not for admins', async () => {
    const admin = await newAccount({ admin: true });
    const query = { rse, url: url(), svc: 's3', op: 'delete', lifetime: '60' };
    const denial = `Account ${admin.account} can not get signed URL for rse=${rse}, service=s3, operation=delete, url=${url()}, lifetime=60. `;
    expectError(await admin.get(path(query)), 401, 'AccessDenied', denial);
    expectError(await alice.get(path(query)), 401, 'AccessDenied');
    expectStatus(await root.post(`/accounts/${alice.account}/attr/sign-url`, { key: 'sign-url', value: 'true' }), 201);
    // The server of the tests has no credentials of the RSE: the caller comes as far as that.
    for (const client of [root, alice]) {
      expectError(await client.get(path(query)), 400, 'ConfigurationError');
      expectError(await client.get(path(query).replace('signurl', 'signur')), 400, 'ConfigurationError');
    }
  });

  it('are of the RSE alone', async () => {
    for (const other of ['https://other.example.org/bucket/a', `${base}et/a`, `${base}/../x`]) {
      expectError(await root.get(path({ rse, url: other, svc: 's3' })), 400, 'UnsupportedOperation');
    }
  });

  it('a list of replicas shows PFNs as they are where they cannot be signed', async () => {
    const [scope, name] = [await newScope(), uniqueName('f')];
    await register(rse, scope, [name]);
    for (const signature_lifetime of [60, undefined]) {
      const [line] = (await root.post('/replicas/list', { dids: [{ scope, name }], signature_lifetime })).lines();
      const pfns = Object.keys((line as { pfns: object }).pfns);
      expect(pfns).toEqual([expect.stringMatching(`^${base}.*/${name}$`)]);
    }
  });
});
