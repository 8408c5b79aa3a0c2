/** Traces note when files and datasets were used (access 6.3). They need no token, as the official client sends none. */
import { beforeAll, describe, expect, it } from 'vitest';

import { expectStatus, newStorageRse, register } from '../support/replicas.ts';
import { newReplicationSetup, type ReplicationSetup } from '../support/replication.ts';
import { allow, expectGone, linesOf, newDataset, newRule, update } from '../support/rules.ts';
import { asRoot, expectEmpty, nobody, uniqueName } from '../support/server.ts';

const root = asRoot();
let setup: ReplicationSetup;

beforeAll(async () => {
  setup = await newReplicationSetup();
});

const send = async (body: unknown) => {
  const answer = await nobody.post('/traces/', body);
  expect(`${answer.status} ${answer.text}`).toBe('201 Created');
};
/** A trace as the official client sends it. */
const download = (name: string, rse: string, more: object = {}) => ({
  eventType: 'download',
  eventVersion: '41.5.1',
  clientState: 'DONE',
  account: 'root',
  scope: setup.scope,
  filename: name,
  remoteSite: rse,
  localSite: 'here',
  datasetScope: '',
  dataset: '',
  stateReason: 'OK',
  ...more,
});
const accessOf = async (name: string) => {
  const answer = await root.get(`/dids/${setup.scope}/${name}/meta`);
  expectStatus(answer, 200);
  return (answer.json() as { accessed_at: string | null }).accessed_at;
};
const isNow = (date: unknown) => Math.abs(Date.parse(String(date)) - Date.now()) < 60_000;
const newFile = async () => {
  const name = uniqueName('f');
  await register(setup.one, setup.scope, [name]);
  return name;
};

describe('a trace of a download', () => {
  it('notes the use on the replica, its file, the datasets above it, and their locks at the RSE', async () => {
    const { scope, one, two, owner } = setup;
    const { name } = await newDataset(scope, one, 2);
    await register(two, scope, [`${name}.0`, `${name}.1`]);
    await newRule({ scope, name }, one, {}, owner);
    await newRule({ scope, name }, two, {}, owner);
    await send(download(`${name}.0`, one));
    expect([await accessOf(`${name}.0`), await accessOf(name)].map(isNow)).toEqual([true, true]);
    expect(await accessOf(`${name}.1`)).toBeNull();
    const used = (lines: readonly object[]) =>
      (lines as { rse: string; accessed_at: string | null }[])
        .map(({ rse, accessed_at: at }) => [rse, at === null ? null : isNow(at)])
        .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    const expected = [
      [one, true],
      [two, null],
    ].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    expect(used(await linesOf(`/locks/${scope}/${name}?did_type=dataset`))).toEqual(expected);
    expect(used(await linesOf(`/replicas/${scope}/${name}/datasets`))).toEqual(expected);
  });

  it.each([
    ['of a pilot', { eventType: 'get_sm' }],
    ['of a job', { eventType: 'sm_get_a', clientState: 'FOUND_ROOT' }],
    ['with the name in another member', { eventType: 'get', filename: undefined }],
    ['of a touch', { eventType: 'touch' }],
  ])('counts %s', async (_kind, more) => {
    const name = await newFile();
    await send([download(name, `NOWHERE, ${setup.one}`, { name, ...more })]);
    expect(isNow(await accessOf(name))).toBe(true);
  });

  it.each([
    ['an upload', { eventType: 'upload' }],
    ['a part of an event service', { eventType: 'get_sm_es' }],
    ['an attempt that failed', { clientState: 'FILE_NOT_FOUND' }],
    ['no RSE', { remoteSite: '' }],
    ['another RSE', { remoteSite: 'OTHER' }],
    ['a text that is no RSE', { remoteSite: '__proto__,constructor' }],
    ['members of other types', { remoteSite: 5, filename: {}, scope: null }],
  ])('counts no %s', async (_kind, more) => {
    const name = await newFile();
    await send(download(name, setup.one, more));
    expect(await accessOf(name)).toBeNull();
  });

  it('counts at the time of the server, whatever it says', async () => {
    const name = await newFile();
    const times = { traceTimeentryUnix: 4e9, traceTimeentry: '2099-01-01', accessed_at: 4e12, transferEnd: 4e9 };
    await send(download(name, setup.one, times));
    expect(isNow(await accessOf(name))).toBe(true);
  });

  it('counts once an hour', async () => {
    const name = await newFile();
    await send([download(name, setup.one), download(name, setup.one)]);
    const etag = async () => (await root.get(`/dids/${setup.scope}/${name}/meta`)).text;
    const first = await etag();
    for (let i = 0; i < 3; i += 1) await send(download(name, setup.one));
    expect(await etag()).toBe(first);
  });

  it('is taken, and changes nothing, where it is nonsense', async () => {
    const bodies: unknown[] = [
      null,
      5,
      'text',
      [],
      [[[]]],
      {},
      { eventType: {} },
      { eventType: 'download', remoteSite: setup.one },
      download('no-such-file', setup.one),
      download('../../etc/passwd', setup.one),
      download('x'.repeat(100_000), setup.one),
      download('a\u0000b', setup.one),
      { ...download('f', setup.one), scope: '..' },
      { eventType: 'touch', datasetScope: setup.scope, dataset: 'no-such-dataset', remoteSite: setup.one },
      { eventType: 'touch', datasetScope: setup.scope, dataset: 7 },
      Array.from({ length: 5_000 }, (_none, index) => download(`unknown.${index}`, setup.one)),
      download('f', Array.from({ length: 5_000 }, (_none, index) => `RSE${index}`).join(',')),
    ];
    for (const body of bodies) await send(body);
  });
});

describe('a touch of a dataset', () => {
  it('notes its use, with and without an RSE', async () => {
    const { name } = await newDataset(setup.scope, setup.one, 1);
    await send({ eventType: 'touch', clientState: 'DONE', datasetScope: setup.scope, dataset: name });
    expect([isNow(await accessOf(name)), await accessOf(`${name}.0`)]).toEqual([true, null]);
  });
});

describe('the order in which replicas may be deleted', () => {
  /** Files on a new RSE whose rule has ended, so that they go when space is needed. */
  const newCache = async (purge = false) => {
    const rse = await newStorageRse({ prefix: '/cache' });
    await allow(setup.account, rse);
    const names = [0, 1, 2].map((index) => `${rse}.${index}`);
    for (const name of names) {
      await register(rse, setup.scope, [name]);
      const id = await newRule({ scope: setup.scope, name }, rse, { purge_replicas: purge }, setup.owner);
      expectEmpty(await update(id, { lifetime: 0 }));
      await expectGone(id);
    }
    const order = async () =>
      ((await root.get(`/replicas/deletable?rse=${rse}`)).lines() as { name: string }[]).map(({ name }) => name);
    return { rse, names, order };
  };

  it('is that of their use: what was used last goes last, and may still go', async () => {
    const { rse, names, order } = await newCache();
    const [first = '', second = '', third = ''] = names;
    expect(await order()).toEqual([first, second, third]);
    await send(download(first, rse));
    await expect.poll(order).toEqual([second, third, first]);
  });

  it('counts the use while a rule held the replica', async () => {
    const rse = await newStorageRse({ prefix: '/cache' });
    await allow(setup.account, rse);
    const names = [`${rse}.0`, `${rse}.1`];
    const ids: string[] = [];
    for (const name of names) {
      await register(rse, setup.scope, [name]);
      ids.push(await newRule({ scope: setup.scope, name }, rse, {}, setup.owner));
    }
    await send(download(String(names[0]), rse));
    for (const id of ids) expectEmpty(await update(id, { lifetime: 0 }));
    for (const id of ids) await expectGone(id);
    const lines = (await root.get(`/replicas/deletable?rse=${rse}`)).lines() as { name: string }[];
    expect(lines.map(({ name }) => name)).toEqual([names[1], names[0]]);
  });

  it('leaves what may go at once where it is', async () => {
    const { rse, names, order } = await newCache(true);
    const before = await order();
    await send(names.map((name) => download(name, rse)));
    expect(await order()).toEqual(before);
  });
});
