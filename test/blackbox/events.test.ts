import { describe, expect, it } from 'vitest';

import { follow, type ReadEvent } from '../support/events.ts';
import { addRse } from '../support/rses.ts';
import { asRoot, call, expectError, newAccount, newScope, nobody } from '../support/server.ts';

const root = asRoot();

const brief = ({ type, event: { subject, data } }: ReadEvent) =>
  `${type} ${subject} ${(data['child_name'] ?? '') as string}`.trim();

/** Events of the DIDs of a scope, without that of the scope itself. */
const about = (scope: string) => `subject=${scope}:`;
const accept = { headers: { Accept: 'text/event-stream' } };

describe('GET /events', () => {
  it('sends changes as they happen, in order', async () => {
    const [scope, rse] = [await newScope(), await addRse()];
    const reader = await follow(root, about(scope));
    expect([reader.status, reader.headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
    const raw = `/dids/${scope}/raw`;
    await root.post(raw, { type: 'DATASET' });
    expect((await reader.next(1)).map(brief)).toEqual([`CREATE_DTS ${scope}:raw`]);
    await root.post(`${raw}/dids`, { dids: [{ scope, name: 'a.root', bytes: 10, adler32: '0cc737eb' }], rse });
    const attached = await reader.next(3);
    expect(attached.map(brief).toSorted()).toEqual([
      `ADD_REPLICA ${scope}:a.root`,
      `ATTACH ${scope}:raw a.root`,
      `CREATE_FILE ${scope}:a.root`,
    ]);
    await root.put(`${raw}/status`, { open: false });
    await root.delete(`${raw}/dids`, { dids: [{ scope, name: 'a.root' }] });
    expect((await reader.next(2)).map(brief)).toEqual([`CLOSE ${scope}:raw`, `DETACH ${scope}:raw a.root`]);
    await reader.leave();
  });

  it('has the messages of Rucio about collections, with its keys', async () => {
    const scope = await newScope();
    const reader = await follow(root, about(scope));
    await root.post(`/dids/${scope}/box`, { type: 'CONTAINER', lifetime: 3600 });
    await root.post(`/dids/${scope}/raw`, { type: 'DATASET' });
    await root.post(`/dids/${scope}/box/dids`, { dids: [{ scope, name: 'raw' }] });
    await root.delete(`/dids/${scope}/box/dids`, { dids: [{ scope, name: 'raw' }] });
    await root.put(`/dids/${scope}/box/status`, { open: false });
    await root.put(`/dids/${scope}/box/status`, { open: true });
    const events = new Map((await reader.next(8)).map(({ type, event }) => [type, event.data]));
    await reader.leave();
    const box = { scope, name: 'box' };
    const child = { childscope: scope, childname: 'raw', childtype: 'DATASET' };
    const detached = { child_scope: scope, child_name: 'raw', child_type: 'DATASET' };
    const expiry = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{6})?$/);
    expect(Object.fromEntries(events)).toEqual({
      CREATE_CNT: { account: 'root', ...box, expired_at: expiry },
      CREATE_DTS: { account: 'root', scope, name: 'raw', expired_at: null },
      REGISTER_CNT: { account: 'root', ...box, ...child },
      ATTACH: expect.objectContaining({ ...box, did_type: 'CONTAINER', ...detached, bytes: 0, length: 0 }),
      ERASE_CNT: { ...box, ...child },
      DETACH: { ...box, did_type: 'CONTAINER', ...detached },
      CLOSE: { ...box, bytes: 0, length: 0, events: expect.toSatisfy((n) => n === null || n === 0) },
      OPEN: box,
    });
  });

  it('wraps each event in a CloudEvents envelope', async () => {
    const scope = await newScope();
    const reader = await follow(root, about(scope));
    await root.post(`/dids/${scope}/raw`, { type: 'DATASET' });
    const [{ event, type } = {} as ReadEvent] = await reader.next(1);
    await reader.leave();
    expect(event).toEqual({
      specversion: '1.0',
      id: expect.stringMatching(/^\S+\.0$/),
      source: '/dapple',
      type,
      subject: `${scope}:raw`,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      datacontenttype: 'application/json',
      data: { account: 'root', scope, name: 'raw', expired_at: null },
    });
  });

  it('continues after the last received event without gaps or duplicates', async () => {
    const scope = await newScope();
    const names = Array.from({ length: 12 }, (_value, index) => `d${index}`);
    const create = (some: readonly string[]) =>
      root.post(
        '/dids',
        some.map((name) => ({ scope, name, type: 'DATASET' })),
      );
    const reader = await follow(root, about(scope));
    await create(names.slice(0, 8));
    const seen = await reader.next(5);
    await reader.leave();
    await create(names.slice(8));
    const again = await follow(root, about(scope), { 'Last-Event-ID': seen.at(-1)?.place ?? '' });
    const all = [...seen, ...(await again.next(7))];
    await again.leave();
    expect(new Set(all.map(({ event }) => event.data['name']))).toEqual(new Set(names));
    expect(new Set(all.map(({ event }) => event.id)).size).toBe(12);
  });

  it('sends an id to continue from before the first event', async () => {
    const scope = await newScope();
    const past = await follow(root, `${about(scope)}&follow=false`);
    expect(await past.rest()).toEqual([]);
    await root.post(`/dids/${scope}/raw`, { type: 'DATASET' });
    const reader = await follow(root, about(scope), { 'Last-Event-ID': past.place });
    expect((await reader.next(1)).map(brief)).toEqual([`CREATE_DTS ${scope}:raw`]);
    await reader.leave();
  });

  it('applies the filters', async () => {
    const [scope, other] = [await newScope(), await newScope()];
    const one = await follow(root, `type=CLOSE&type=OPEN&scope=${scope}`);
    const two = await follow(root, `subject=${scope}:b`);
    await root.post(`/dids/${other}/b`, { type: 'DATASET' });
    for (const name of ['a', 'b']) {
      await root.post(`/dids/${scope}/${name}`, { type: 'DATASET' });
      await root.put(`/dids/${scope}/${name}/status`, { open: false });
    }
    expect((await one.next(2)).map(brief)).toEqual([`CLOSE ${scope}:a`, `CLOSE ${scope}:b`]);
    expect((await two.next(2)).map(brief)).toEqual([`CREATE_DTS ${scope}:b`, `CLOSE ${scope}:b`]);
    await Promise.all([one.leave(), two.leave()]);
  });

  it('ends after the present events if asked to, and starts at a date', async () => {
    const scope = await newScope();
    const before = new Date(Date.now() - 1000).toISOString();
    const live = await follow(root, about(scope));
    await root.post(`/dids/${scope}/raw`, { type: 'DATASET' });
    await live.next(1);
    await live.leave();
    const past = await follow(root, `${about(scope)}&follow=false&since=${before}`);
    expect((await past.rest()).map(brief)).toEqual([`CREATE_DTS ${scope}:raw`]);
    const now = await follow(root, `${about(scope)}&follow=false`);
    expect(await now.rest()).toEqual([]);
  });

  it('keeps integers exact beyond 2^53', async () => {
    const [scope, rse] = [await newScope(), await addRse()];
    const reader = await follow(root, `scope=${scope}&type=CREATE_FILE`);
    const rawBody = `{"rse": "${rse}", "files": [{"scope": "${scope}", "name": "f", "bytes": 9007199254740993}]}`;
    expect((await root.post('/replicas', undefined, { rawBody })).status).toBe(201);
    const [created] = await reader.next(1);
    await reader.leave();
    expect(created?.event.data['bytes']).toBe(9_007_199_254_740_993n);
  });

  it('needs a valid token, of any account', async () => {
    const scope = await newScope();
    const reader = await follow(await newAccount(), about(scope));
    await root.post(`/dids/${scope}/raw`, { type: 'DATASET' });
    expect((await reader.next(1)).map(brief)).toEqual([`CREATE_DTS ${scope}:raw`]);
    await reader.leave();
    expectError(await nobody.get('/events', accept), 401, 'CannotAuthenticate', 'Token must be set.');
  });

  it.each([
    ['a type that there is not', 'type=CREATED', {}, 'InvalidObject', /'CREATED' is no type of events/],
    ['no date', 'since=yesterday', {}, 'InvalidObject', /'yesterday' is no date/],
    ['a truth that is none', 'follow=maybe', {}, 'TypeError', "'follow' must be a boolean type."],
    ['no id of an event', '', { 'Last-Event-ID': 'x' }, 'ValueError', "'x' is no id of an event"],
    [
      'an id with a lane that it does not know',
      '',
      { 'Last-Event-ID': '1000000000000.0.7.a-b' },
      'ValueError',
      "'1000000000000.0.7.a-b' is no id of an event",
    ],
    [
      'an id that was never issued',
      '',
      { 'Last-Event-ID': '999999999999999.0' },
      'ValueError',
      "'999999999999999.0' is no id of an event",
    ],
    [
      'an id whose events have expired',
      '',
      { 'Last-Event-ID': '1000000000000.0' },
      'ValueError',
      'The events after 1000000000000.0 are not kept any more',
    ],
  ])('refuses %s', async (_what, query, headers, exception, message) => {
    const answer = await root.get(`/events?${query}`, { headers: { ...accept.headers, ...headers } });
    expectError(answer, 400, exception, message);
  });

  it('takes an id with lanes that were never there, and answers what is there', async () => {
    const scope = await newScope();
    const reader = await follow(root, about(scope));
    await root.post(`/dids/${scope}/first`, { type: 'DATASET' });
    await root.post(`/dids/${scope}/second`, { type: 'DATASET' });
    const [first] = await reader.next(2);
    await reader.leave();
    const [at] = (first?.place ?? '').split('.');
    for (const lanes of ['0-0-0', 'zzzzzzzzz-zzzzzzzzz', Array.from({ length: 64 }, () => '1').join('-')]) {
      const again = await follow(root, about(scope), { 'Last-Event-ID': `${at}.0.0.${lanes}` });
      await root.post(`/dids/${scope}/${lanes.slice(0, 20)}`, { type: 'DATASET' });
      expect(again.status).toBe(200);
      await again.leave();
    }
  });

  it('answers HEAD without waiting, and refuses an Accept without event streams', async () => {
    const head = await call('HEAD', '/events', { as: root, ...accept });
    expect([head.status, head.text, head.headers.get('Content-Type')]).toEqual([200, '', 'text/event-stream']);
    expectError(
      await root.get('/events', { headers: { Accept: 'application/json' } }),
      406,
      'UnsupportedRequestedContentType',
    );
  });
});
