import { beforeEach, describe, expect, it } from 'vitest';

import { expectStatus, newStorageRse } from '../support/replicas.ts';
import {
  asRoot,
  type Client,
  expectCreated,
  expectEmpty,
  expectError,
  newAccount,
  newScope,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();
const huge = 9_000_000_000_000_000_000n;
let rse: string;
let scope: string;
let alice: Client;

/** An RSE of 10,000 bytes whose reaper keeps 1,000 free, by the sum of the catalogue. */
beforeEach(async () => {
  rse = await newStorageRse({ name: `${uniqueName('cache').toUpperCase()}_SCRATCHDISK` });
  expectEmpty(await root.put(`/rses/${rse}/limits`, { name: 'MinFreeSpace', value: 1_000 }));
  expectEmpty(await root.put(`/rses/${rse}/usage`, { source: 'storage', used: 4_000, free: 6_000 }));
  expectCreated(await root.post(`/rses/${rse}/attr/source_for_used_space`, { value: 'rucio' }));
  alice = await newAccount();
  scope = await newScope({ owner: alice.account });
  expectCreated(await root.post(`/accounts/${alice.account}/limits/local/${rse}`, { bytes: 500 }));
});

const newFiles = (...sizes: (number | bigint)[]) =>
  `[${sizes.map((bytes) => `{"scope": "${scope}", "name": "${uniqueName('f')}", "bytes": ${bytes}}`).join()}]`;
const post = (as: Client, path: string, rawBody: string) => as.post(path, undefined, { rawBody });
const register = (as: Client, ...sizes: (number | bigint)[]) =>
  post(as, '/replicas', `{"rse": "${rse}", "files": ${newFiles(...sizes)}}`);

describe('the size of a file, where the reaper goes by the sum of the catalogue', () => {
  it('is refused if the storage is smaller, or the files of the request together', async () => {
    for (const sizes of [[huge], [10_001], [6_000, 6_000], [huge, huge]])
      expectError(await register(alice, ...sizes), 409, 'RSEOverQuota', /cannot be on .*, which has 10000 bytes/);
    const usages = (await root.get(`/rses/${rse}/usage`)).text;
    expect(usages).not.toContain('9000000000000000000');
  });

  it('is refused beyond what the account may use, without a quota too', async () => {
    for (const sizes of [[501], [300, 300]])
      expectError(await register(alice, ...sizes), 409, 'InsufficientAccountLimit');
    expectCreated(await register(alice, 300, 200));
    expectEmpty(await root.delete(`/accounts/${alice.account}/limits/local/${rse}`));
    expectError(await register(alice, 1), 409, 'InsufficientAccountLimit');
  });

  it('is judged on every route that registers files', async () => {
    const dataset = uniqueName('ds');
    const body = (size: number | bigint) => `{"type": "DATASET", "rse": "${rse}", "dids": ${newFiles(size)}}`;
    expectError(await post(alice, `/dids/${scope}/${dataset}`, body(huge)), 409, 'RSEOverQuota');
    expectStatus(await alice.post(`/dids/${scope}/${dataset}`, { type: 'DATASET' }), 201);
    const attach = `{"rse": "${rse}", "dids": ${newFiles(huge)}}`;
    expectError(await post(alice, `/dids/${scope}/${dataset}/dids`, attach), 409, 'RSEOverQuota');
    const attachments = `[{"scope": "${scope}", "name": "${dataset}", "rse": "${rse}", "dids": ${newFiles(501)}}]`;
    expectError(await post(alice, '/dids/attachments', attachments), 409, 'InsufficientAccountLimit');
  });

  it('of a file that has its size elsewhere counts as well', async () => {
    const other = await newStorageRse({ name: `${uniqueName('other').toUpperCase()}_SCRATCHDISK` });
    const name = uniqueName('f');
    const file = `{"scope": "${scope}", "name": "${name}", "bytes": ${huge}}`;
    expectStatus(await post(alice, '/replicas', `{"rse": "${other}", "files": [${file}]}`), 201);
    const again = await alice.post('/replicas', { rse, files: [{ scope, name }] });
    expectError(again, 409, 'RSEOverQuota');
  });

  it('is believed of administrators and movers, and where the storage reports its own usage', async () => {
    const admin = await newAccount({ admin: true });
    expectStatus(await register(admin, 20_000), 201);
    expectCreated(await root.post(`/rses/${rse}/attr/source_for_used_space`, { value: 'storage' }));
    expectStatus(await register(alice, 20_000), 201);
  });
});
