import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  asRoot,
  type Client,
  expectCreated,
  expectError,
  newAccount,
  newScope,
  nobody,
  uniqueName,
} from '../support/server.ts';
import { walk } from '../support/walk.ts';

const root = asRoot();
const path = '/lifetime_exceptions/';
const date = expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d UTC$/);

interface Added {
  readonly exceptions: Record<string, { name: string }[]>;
  readonly unknown: { name: string }[];
  readonly not_affected: { name: string }[];
}

let alice: Client;
let scope: string;
beforeAll(async () => {
  [alice, scope] = await Promise.all([newAccount(), newScope()]);
  await setModel({ cutoff_date: '2090-01-01' });
});
afterAll(async () => {
  await root.delete('/config/lifetime_model');
});

async function setModel(options: object): Promise<void> {
  expectCreated(await root.post('/config', { lifetime_model: options }));
}

/** A new dataset, perhaps with an end of life. */
async function dataset(metadata: Record<string, unknown> = {}): Promise<{ scope: string; name: string }> {
  const name = uniqueName('ds');
  expect((await root.post(`/dids/${scope}/${name}`, { type: 'DATASET' })).status).toBe(201);
  for (const [key, value] of Object.entries(metadata)) {
    expect((await root.post(`/dids/${scope}/${name}/meta/${key}`, { value })).status).toBe(201);
  }
  return { scope, name };
}

const ending = (more: object = {}) => dataset({ eol_at: '2050-01-01', ...more });

async function added(body: object, caller = alice): Promise<Added> {
  const answer = await caller.post(path, { comments: 'why', ...body });
  expect(`${answer.status} ${answer.headers.get('Content-Type')}`).toBe('201 application/json');
  return answer.json() as Added;
}

/** The id of a new exception for one dataset. */
async function newException(): Promise<string> {
  const [id = ''] = Object.keys((await added({ dids: [await ending()] })).exceptions);
  return id;
}

describe('exceptions to the lifetime model (access 6.5)', () => {
  it('are made for DIDs that expire before the cutoff date, one for each datatype; the answer lists the rest', async () => {
    const [raw, raw2, aod, late, endless] = await Promise.all([
      ending({ datatype: 'RAW' }),
      ending({ datatype: 'RAW' }),
      ending({ datatype: 'AOD' }),
      dataset({ eol_at: '2095-01-01' }),
      dataset(),
    ]);
    const unknown = { scope, name: uniqueName('none') };
    const strange = { scope: 'a#b', name: '__proto__' };
    const answer = await added({ dids: [raw, aod, late, endless, unknown, strange, raw, raw2] });
    const typed = (...dids: object[]) => dids.map((did) => Object.assign({}, did, { did_type: 'DATASET' }));
    const groups = Object.values(answer.exceptions);
    expect(groups).toHaveLength(2);
    expect(groups.flat()).toEqual(expect.arrayContaining(typed(raw, raw2, aod)));
    expect(groups.flat()).toHaveLength(3);
    expect(answer.unknown).toEqual(typed(unknown, strange));
    expect(answer.not_affected).toEqual(expect.arrayContaining(typed(late, endless)));
    expect(answer.not_affected).toHaveLength(2);
  });

  it('are listed, all or those of an id, a line for each DID', async () => {
    const dids = await Promise.all([ending(), ending()]);
    const body = { dids, comments: 'why||||7 TB', pattern: 'raw.*', expires_at: 'Sat, 21 Nov 2099 13:24:04 UTC' };
    const [id = ''] = Object.keys((await added(body)).exceptions);
    const lines = dids
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((did) => ({
        id,
        scope: did.scope,
        name: did.name,
        did_type: 'DATASET',
        account: alice.account,
        pattern: 'raw.*',
        comments: 'why',
        state: 'WAITING',
        created_at: date,
        expires_at: 'Sat, 21 Nov 2099 13:24:04 UTC',
      }));
    const answer = await root.get(path + id);
    expect(answer.headers.get('Content-Type')).toBe('application/x-json-stream');
    expect(answer.lines()).toEqual(lines);
    expect((await root.get(path + id.toUpperCase())).lines()).toEqual(lines);
    expect((await root.get(path)).lines()).toEqual(expect.arrayContaining(lines));
    expect((await walk(root, path + id, 1)).flat()).toEqual(lines);
    for (const unknown of [uniqueName(), 'a%23b', 'x'.repeat(2000)]) {
      expect(await root.get(path + unknown)).toMatchObject({ status: 200, text: '' });
    }
  });

  it('need only a cutoff date in the future', async () => {
    expect(await added({ dids: [], comments: null })).toEqual({ exceptions: {}, unknown: [], not_affected: [] });
    expect((await root.post(path, {})).status).toBe(201);
    const message = 'Cannot submit exception at that date.';
    for (const cutoff_date of ['2001-01-01', 'soon', '2090-02-30']) {
      await setModel({ cutoff_date });
      expectError(await alice.post(path, {}), 409, 'UnsupportedOperation', message);
    }
    await root.delete('/config/lifetime_model/cutoff_date');
    expectError(await alice.post(path, {}), 409, 'UnsupportedOperation', message);
    await setModel({ cutoff_date: '2090-01-01' });
  });

  it('end after the longest extension at the latest', async () => {
    const days = (line: unknown) => {
      const { created_at, expires_at } = line as { created_at: string; expires_at: string };
      return (Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000;
    };
    await setModel({ max_extension: 10 });
    for (const expires_at of [null, '2090-01-01']) {
      const [id = ''] = Object.keys((await added({ dids: [await ending()], expires_at })).exceptions);
      expect((await root.get(path + id)).lines().map(days)).toEqual([10]);
    }
    await root.delete('/config/lifetime_model/max_extension');
    expect((await root.get(path + (await newException()))).lines()).toEqual([
      expect.objectContaining({ expires_at: null }),
    ]);
  });

  it.each<[object, string]>([
    [{ dids: 'x' }, 'InvalidObject'],
    [{ dids: [5] }, 'InvalidObject'],
    [{ dids: [{ scope: 'x' }] }, 'InvalidObject'],
    [{ expires_at: 'x' }, 'InvalidObject'],
    [{ comments: 5 }, 'InvalidObject'],
    [{ pattern: 'x'.repeat(256) }, 'InvalidObject'],
  ])('%j is refused', async (body, exception) => {
    expectError(await alice.post(path, body), 400, exception);
  });

  it('need a JSON object and a valid token', async () => {
    expectError(await alice.post(path), 400, 'ValueError', 'cannot decode json parameter dictionary');
    expectError(await alice.post(path, []), 400, 'TypeError', 'body must be a json dictionary');
    expectError(await nobody.post(path, {}), 401, 'CannotAuthenticate');
    const json = { headers: { Accept: 'application/json' } };
    expectError(await alice.get(path, json), 406, 'UnsupportedRequestedContentType');
  });
});

describe('a decision about an exception (access 6.5)', () => {
  it('is made by root and admins, for all of its DIDs', async () => {
    const [id = ''] = Object.keys((await added({ dids: [await ending(), await ending()] })).exceptions);
    const admin = await newAccount({ admin: true });
    for (const [caller, state, shown] of [
      [root, 'A', 'APPROVED'],
      [admin, 'R', 'REJECTED'],
      [root, 'APPROVED', 'APPROVED'],
    ] as const) {
      expectCreated(await caller.put(path + id, { state }));
      const states = (await root.get(path + id)).lines().map((line) => (line as { state: string }).state);
      expect(states).toEqual([shown, shown]);
    }
    const message = `Account ${alice.account} can not update lifetime exceptions. `;
    expectError(await alice.put(path + id, { state: 'R' }), 401, 'AccessDenied', message);
  });

  it('needs one of the two values and an existing exception', async () => {
    const id = await newException();
    for (const state of ['W', 'WAITING', 'x', 5, null, undefined]) {
      expectError(await root.put(path + id, { state }), 400, 'UnsupportedOperation');
    }
    expectError(await root.put(path + id, []), 400, 'TypeError', 'body must be a json dictionary');
    for (const unknown of ['0'.repeat(32), 'nope', 'a%23b', 'x'.repeat(2000)]) {
      const message = `No lifetime exception with the id ${decodeURIComponent(unknown)} found`;
      expectError(await root.put(path + unknown, { state: 'A' }), 404, 'LifetimeExceptionNotFound', message);
    }
  });
});

describe('heartbeats (access 6.4)', () => {
  const beat = (hostname: string, more: object = {}) =>
    root.post('/heartbeats', { executable: 'mover', hostname, pid: 17, older_than: 600, ...more });
  const beatsOf = async (hostname: string) =>
    ((await root.get('/heartbeats')).json() as { hostname: string }[]).filter((line) => line.hostname === hostname);

  it('list each process once, with its last payload', async () => {
    const host = uniqueName('host');
    for (const more of [{}, { payload: 'first' }, { payload: 'second' }, { pid: 18 }, { executable: 'a' }]) {
      const answer = await beat(host, more);
      expect(`${answer.status} ${answer.text}`).toBe('200 OK');
    }
    const line = { hostname: host, thread_name: 'thread', created_at: date, updated_at: date };
    expect(await beatsOf(host)).toEqual([
      { ...line, readable: 'a', pid: 17, payload: null },
      { ...line, readable: 'mover', pid: 17, payload: 'second' },
      { ...line, readable: 'mover', pid: 18, payload: null },
    ]);
  });

  it('are sent by admins, and listed to root', async () => {
    const admin = await newAccount({ admin: true });
    const host = uniqueName('host');
    const body = { executable: 'mover', hostname: host, pid: 1 };
    expect((await admin.post('/heartbeats', body)).status).toBe(200);
    expect(await beatsOf(host)).toHaveLength(1);
    expectError(
      await alice.post('/heartbeats', body),
      401,
      'AccessDenied',
      `${alice.account} cannot send heartbeats. `,
    );
    for (const caller of [alice, admin]) {
      const message = `${caller.account} cannot list heartbeats. `;
      expectError(await caller.get('/heartbeats'), 401, 'AccessDenied', message);
    }
  });

  it('need a process', async () => {
    const host = uniqueName('host');
    expectError(await beat(host, { pid: undefined }), 400, 'KeyError', "'pid' not defined");
    for (const more of [{ pid: 'x' }, { pid: 2 ** 31 }, { executable: 5 }, { payload: {} }]) {
      expectError(await beat(host, more), 400, 'InvalidObject');
    }
    expect(await beatsOf(host)).toEqual([]);
  });
});
