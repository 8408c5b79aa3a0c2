import { setTimeout as sleep } from 'node:timers/promises';

import { beforeAll, describe, expect, it } from 'vitest';

import { newRse } from '../support/rses.ts';
import {
  asRoot,
  type Client,
  expectCreated,
  expectEmpty,
  expectError,
  newAccount,
  newScope,
} from '../support/server.ts';

const root = asRoot();
const document = { headers: { Accept: 'application/json' } };
const stream = { headers: { Accept: 'application/x-json-stream' } };
const unknown = "RSE 'NO-SUCH-RSE' cannot be found in vo 'def'";
const date = expect.stringMatching(/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d UTC$/) as string;

type Line = Readonly<Record<string, unknown>>;

let alice: Client;
let admin: Client;
beforeAll(async () => {
  [alice, admin] = await Promise.all([newAccount(), newAccount({ admin: true })]);
});

const squeezed = (text: string) => text.replaceAll(/\s/g, '');

describe('usage of an RSE (rses 1.24, 1.25, 7.1)', () => {
  it('is a line for each source, by source', async () => {
    const { name, id } = await newRse();
    const path = `/rses/${name}/usage`;
    for (const source of ['storage', 'a#b', 'min_free_space']) {
      expectEmpty(await root.put(path, { source, used: 10, free: 90, files: 3 }));
    }
    const answer = await alice.get(path);
    expect(answer.headers.get('Content-Type')).toBe('application/x-json-stream');
    const line = { rse_id: id, rse: name, used: 10, free: 90, total: 100, files: 3, updated_at: date };
    expect(answer.lines()).toEqual([
      { ...line, source: 'a#b' },
      { ...line, source: 'min_free_space' },
      { ...line, source: 'rucio', used: 0, free: null, total: 0, files: 0 },
      { ...line, source: 'storage' },
    ]);
    expect((await alice.get(`${path}?source=storage`)).lines()).toEqual([{ ...line, source: 'storage' }]);
    expect((await alice.get(`${path}?source=a%23b`)).lines()).toEqual([{ ...line, source: 'a#b' }]);
    expect((await alice.get(`${path}?source=`)).lines()).toHaveLength(4);
    for (const source of ['nobody', 'x'.repeat(2000), '%00']) {
      const nothing = await alice.get(`${path}?source=${source}`);
      expect(`${nothing.status} ${nothing.text}`).toBe('200 ');
    }
  });

  it('of the catalogue itself changes at once with every replica, in any state (replication 3.11)', async () => {
    const [{ name }, scope] = await Promise.all([newRse(), newScope()]);
    const own = async () => {
      const [line] = (await alice.get(`/rses/${name}/usage?source=rucio`)).lines() as Line[];
      return { used: line?.['used'], files: line?.['files'] };
    };
    const named = Array.from({ length: 25 }, (_value, index) => ({ scope, name: `f${index}` }));
    const files = named.map((file, index) => ({ ...file, bytes: 10, state: index === 0 ? 'U' : 'A' }));
    expectCreated(await root.post('/replicas', { rse: name, files }));
    expect(await own()).toEqual({ used: 250, files: 25 });
    expectCreated(await root.post('/replicas', { rse: name, files }));
    expect(await own()).toEqual({ used: 250, files: 25 });
    expectEmpty(await root.delete('/replicas', { rse: name, files: named.slice(0, 20) }));
    expect(await own()).toEqual({ used: 50, files: 5 });
    expectError(await root.delete(`/rses/${name}`), 404, 'RSEOperationNotSupported');
    expectEmpty(await root.delete('/replicas', { rse: name, files: named.slice(20) }));
    expect(await own()).toEqual({ used: 0, files: 0 });
    expectEmpty(await root.delete(`/rses/${name}`));
  });

  it('of the catalogue itself can be overwritten, and continues from that value', async () => {
    const [{ name }, scope] = await Promise.all([newRse(), newScope()]);
    const path = `/rses/${name}/usage`;
    const register = async (file: string) =>
      expectCreated(await root.post('/replicas', { rse: name, files: [{ scope, name: file, bytes: 10 }] }));
    await register('before');
    expectEmpty(await root.put(path, { source: 'rucio', used: 1000, free: 7, files: 100 }));
    const own = async () => (await alice.get(`${path}?source=rucio`)).lines();
    expect(await own()).toMatchObject([{ used: 1000, free: 7, files: 100, total: 1007 }]);
    await register('after');
    expect(await own()).toMatchObject([{ used: 1010, free: 7, files: 101, total: 1017 }]);
  });

  it('is replaced as a whole: missing members become unknown', async () => {
    const { name } = await newRse();
    const path = `/rses/${name}/usage`;
    const shown = async () => (await root.get(`${path}?source=storage`)).lines();
    expectEmpty(await root.put(path, { source: 'storage', used: 10, free: 90, files: 3 }));
    expectEmpty(await root.put(path, { parameter: { source: 'storage', free: 5 } }));
    expect(await shown()).toMatchObject([{ used: null, free: 5, files: null, total: 5 }]);
    expectEmpty(await root.put(path, { source: 'storage', used: -5, free: null, files: null }));
    expect(await shown()).toMatchObject([{ used: -5, free: null, files: null, total: -5 }]);
  });

  it('is exact beyond 2^53', async () => {
    const { name } = await newRse();
    const rawBody = '{"source":"storage","used":9223372036854775807,"free":9007199254740993,"files":9007199254740995}';
    expectEmpty(await root.put(`/rses/${name}/usage`, undefined, { rawBody }));
    const exact = '"used":9223372036854775807,"free":9007199254740993';
    const text = squeezed((await root.get(`/rses/${name}/usage?source=storage`)).text);
    expect(text).toContain(`${exact},"files":9007199254740995,"total":9232379236109516800`);
    const past = squeezed((await root.get(`/rses/${name}/usage/history`)).text);
    expect(past).toContain(`${exact},"total":9232379236109516800,"files":9007199254740995`);
  });

  it('`updated_at` is the last change; setting the same value again is none', async () => {
    const { name } = await newRse();
    const path = `/rses/${name}/usage`;
    const updatedAt = async () => ((await root.get(`${path}?source=storage`)).lines() as Line[])[0]?.['updated_at'];
    expectEmpty(await root.put(path, { source: 'storage', used: 10 }));
    const before = await updatedAt();
    await sleep(1100);
    expectEmpty(await root.put(path, { source: 'storage', used: 10, free: null }));
    expect(await updatedAt()).toBe(before);
    expectEmpty(await root.put(path, { source: 'storage', used: 10, free: 0 }));
    expect(await updatedAt()).not.toBe(before);
  });

  it('by account is shown for the source rucio alone', async () => {
    const { name } = await newRse();
    expectEmpty(await root.put(`/rses/${name}/usage`, { source: 'storage', used: 10 }));
    for (const flag of ['true', 'True', '1']) {
      const lines = (await root.get(`/rses/${name}/usage?per_account=${flag}`)).lines() as Line[];
      expect(lines.map((line) => line['account_usages'])).toEqual([[], undefined]);
    }
    for (const flag of ['', 'perhaps']) {
      const answer = await root.get(`/rses/${name}/usage?per_account=${flag}`);
      expectError(answer, 400, 'TypeError', "'per_account' must be a boolean type.");
    }
  });

  it.each([
    [{ source: null, used: 1 }, /at source$/],
    [{ source: 5 }, /at source$/],
    [{ source: '' }, /at source$/],
    [{ source: 's'.repeat(256) }, /at source$/],
    [{ source: 'x', used: 'much' }, /at used$/],
    [{ source: 'x', free: 1.5 }, /at free$/],
    [{ source: 'x', files: true }, /at files$/],
    [{ source: 'x', used: 1e300 }, /at used$/],
  ])('refuses %j', async (body, message) => {
    const { name } = await newRse();
    expectError(await root.put(`/rses/${name}/usage`, body), 400, 'InvalidObject', message);
  });

  it('takes a source of any characters', async () => {
    const { name } = await newRse();
    for (const source of ['\u{1F434}'.repeat(127), '%'.repeat(255), '漢'.repeat(255), '#', '%23', '__proto__']) {
      expectEmpty(await root.put(`/rses/${name}/usage`, { source, used: 1 }));
      const path = `/rses/${name}/usage/history?source=${encodeURIComponent(source)}`;
      expect((await root.get(path)).lines()).toMatchObject([{ source, used: 1 }]);
    }
    const sources = ((await root.get(`/rses/${name}/usage`)).lines() as Line[]).map(({ source }) => source);
    expect(new Set(sources).size).toBe(7);
  });

  it('is set by root alone, on an existing RSE', async () => {
    const { name } = await newRse();
    const path = `/rses/${name}/usage`;
    for (const client of [alice, admin]) {
      const denial = `Account ${client.account} can not update RSE usage information for RSE ${name}. `;
      expectError(await client.put(path, { source: 'storage', used: 1 }), 401, 'AccessDenied', denial);
    }
    expectError(await alice.put('/rses/NO-SUCH-RSE/usage', { source: 'x' }), 404, 'RSENotFound', unknown);
    expectError(await alice.get('/rses/NO-SUCH-RSE/usage'), 404, 'RSENotFound', unknown);
    expectError(await root.put(path, { used: 1 }), 400, 'KeyError', "'source' not defined");
    expectError(await root.put(path), 400, 'ValueError', 'cannot decode json parameter dictionary');
    expectError(await root.put(path, []), 400, 'TypeError', 'body must be a json dictionary');
    expectError(await alice.get(path, document), 406, 'UnsupportedRequestedContentType');
  });
});

describe('past usage of an RSE (rses 1.26, 7.2)', () => {
  it('is a line for each change, of all sources or one, newest first', async () => {
    const { name, id } = await newRse();
    const path = `/rses/${name}/usage`;
    expect((await alice.get(`${path}/history`)).text).toBe('');
    for (const used of [1, 2, 2, 3]) {
      expectEmpty(await root.put(path, { source: 'storage', used, free: 10 }));
      expectEmpty(await root.put(path, { source: 'srm', free: used }));
    }
    const answer = await alice.get(`${path}/history`);
    expect(answer.headers.get('Content-Type')).toBe('application/x-json-stream');
    const line = { rse_id: id, rse: name, updated_at: date };
    const storage = (used: number) => ({ ...line, source: 'storage', used, free: 10, total: used + 10 });
    const srm = (free: number) => ({ ...line, source: 'srm', used: 0, free, total: free });
    expect(answer.lines()).toEqual([srm(3), storage(3), srm(2), storage(2), srm(1), storage(1)]);
    const ofOne = await alice.get(`${path}/history?source=storage`);
    expect(ofOne.lines()).toEqual([storage(3), storage(2), storage(1)]);
    expect((await alice.get(`${path}/history?source=nobody`)).text).toBe('');
  });

  it('has the number of files where the source has reported it, as the present usage has', async () => {
    const { name } = await newRse();
    const path = `/rses/${name}/usage`;
    expectEmpty(await root.put(path, { source: 'storage', used: 1 }));
    expectEmpty(await root.put(path, { source: 'storage', used: 2, files: 50 }));
    const past = (await root.get(`${path}/history?source=storage`)).lines() as Line[];
    expect(past.map(({ used, files }) => [used, files])).toEqual([
      [2, 50],
      [1, undefined],
    ]);
    expect((await root.get(`${path}?source=storage`)).lines()).toMatchObject([{ used: 2, files: 50 }]);
  });

  it('has every one of many concurrent changes', async () => {
    const { name } = await newRse();
    const all = Array.from({ length: 10 }, (_value, used) => used);
    await Promise.all(
      all.map(async (used) => expectEmpty(await root.put(`/rses/${name}/usage`, { source: 'storage', used }))),
    );
    const past = (await root.get(`/rses/${name}/usage/history?source=storage`)).lines() as { used: number }[];
    expect(past.map(({ used }) => used).toSorted((a, b) => a - b)).toEqual(all);
    const now = (await root.get(`/rses/${name}/usage?source=storage`)).lines();
    expect(now).toMatchObject([{ used: past[0]?.used }]);
  });

  it('is a stream, and 404 for an unknown RSE', async () => {
    const { name } = await newRse();
    expectError(await alice.get('/rses/NO-SUCH-RSE/usage/history'), 404, 'RSENotFound', unknown);
    const refused = await alice.get(`/rses/${name}/usage/history`, document);
    expectError(refused, 406, 'UnsupportedRequestedContentType');
  });
});

describe('usage of an RSE by account (rses 1.27, 7.5)', () => {
  it('is a line for every account, with the media type of a document', async () => {
    const { name, id } = await newRse();
    const [bob, carl] = [await newAccount(), await newAccount()];
    expectCreated(await root.post(`/accounts/${alice.account}/limits/local/${name}`, { bytes: 5000 }));
    expectCreated(await root.post(`/accounts/${bob.account}/limits/local/${name}`, { bytes: -1 }));
    expectEmpty(await root.delete(`/accounts/${carl.account}`));
    const answer = await alice.get(`/rses/${name}/accounts/usage`, document);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    const lines = answer.lines() as Line[];
    const of = (account: string) => lines.filter((line) => line['account'] === account);
    const line = { rse_id: id, rse: name, used_files: 0, used_bytes: 0 };
    expect(of(alice.account)).toEqual([{ ...line, account: alice.account, quota_bytes: 5000 }]);
    expect(of(bob.account)).toEqual([{ ...line, account: bob.account, quota_bytes: -1 }]);
    expect(of(carl.account)).toEqual([{ ...line, account: carl.account, quota_bytes: null }]);
    expect(of('root')).toHaveLength(1);
  });

  it('is 404 for an unknown RSE, and 406 for streams', async () => {
    const { name } = await newRse();
    expectError(await alice.get('/rses/NO-SUCH-RSE/accounts/usage'), 404, 'RSENotFound', unknown);
    const refused = await alice.get(`/rses/${name}/accounts/usage`, stream);
    expectError(refused, 406, 'UnsupportedRequestedContentType', /Use \['application\/json'\]\.$/);
  });
});
