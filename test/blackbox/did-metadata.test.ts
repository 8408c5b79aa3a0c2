import { describe, expect, it } from 'vitest';

import { newDidSetup } from '../support/dids.ts';
import { expectCreated, expectEmpty, expectError, newAccount, newScope, uniqueName } from '../support/server.ts';

const { alice, scope, rse, at, add } = await newDidSetup();
const bob = await newAccount();

/** A new file in a dataset; returns its name. */
async function addFile(dataset: string, meta: object = {}): Promise<string> {
  const name = uniqueName('file');
  const dids = [{ scope, name, bytes: 10, adler32: '0cc737eb', meta }];
  expect((await alice.post(at(dataset, '/dids'), { dids, rse })).status).toBe(201);
  return name;
}

const set = (name: string, key: string, value: unknown, more: object = {}) =>
  alice.post(at(name, `/meta/${encodeURIComponent(key)}`), { value, ...more });

const read = async (name: string, plugin = 'DID_COLUMN') =>
  (await alice.get(at(name, `/meta?plugin=${plugin}`))).json() as Record<string, unknown>;

describe('read metadata (dids 2.15, 4.3)', () => {
  it('answers all 42 columns of a collection with their defaults', async () => {
    const name = await add('DATASET');
    const columns = await read(name);
    expect(Object.keys(columns)).toHaveLength(42);
    expect(columns).toMatchObject({
      scope,
      name,
      account: alice.account,
      did_type: 'DATASET',
      is_open: true,
      monotonic: false,
      hidden: false,
      obsolete: false,
      complete: null,
      is_new: true,
      availability: 'AVAILABLE',
      suppressed: false,
      bytes: 0,
      length: 0,
      events: null,
      purge_replicas: true,
      transient: false,
      project: null,
      closed_at: null,
      is_archive: null,
      constituent: null,
      expired_at: null,
      guid: null,
    });
  });

  it('answers size and checksums of a file, which has no length and is neither open nor closed', async () => {
    const file = await addFile(await add('DATASET'));
    expect(await read(file)).toMatchObject({
      did_type: 'FILE',
      is_open: null,
      length: null,
      bytes: 10,
      adler32: '0cc737eb',
    });
  });

  it('keeps columns and free metadata apart, and merges them for ALL', async () => {
    const name = await add('DATASET', { meta: { project: 'beam24', shift: 'night' } });
    expect(await read(name, 'JSON')).toEqual({ shift: 'night' });
    expect(await read(name)).not.toHaveProperty('shift');
    expect(await read(name, 'all')).toMatchObject({ project: 'beam24', shift: 'night', name });
  });

  it('is 400 for an unknown plugin and 404 for an unknown DID, whatever the plugin', async () => {
    const name = await add('DATASET');
    const message = 'Metadata plugin "MONGO" is not enabled on the server.';
    expectError(await alice.get(at(name, '/meta?plugin=MONGO')), 400, 'UnsupportedMetadataPlugin', message);
    for (const plugin of ['DID_COLUMN', 'JSON', 'ALL']) {
      expectError(await alice.get(at('nothing', `/meta?plugin=${plugin}`)), 404, 'DataIdentifierNotFound');
    }
  });
});

describe('set metadata (dids 2.16)', () => {
  it('returns any JSON value exactly as it was set', async () => {
    const name = await add('DATASET');
    const values: Record<string, unknown> = {
      text: 'ünï',
      empty: '',
      zero: 0,
      small: 1e-300,
      large: 1e300,
      half: 0.1,
      yes: true,
      nothing: null,
      list: ['a', [1, { '': null }], {}],
      object: { z: 1, a: { deep: [true] }, json: 'x' },
      constructor: 'a key of every object',
    };
    expectCreated(await alice.post(at(name, '/meta'), { meta: values }));
    expect(await read(name, 'JSON')).toEqual(values);
    const answer = await alice.post(at(name, '/meta/huge'), undefined, {
      rawBody: '{"value": [123456789012345678901234567890, -2.095558835773826e19]}',
    });
    expectCreated(answer);
    const shown = '"huge": [123456789012345678901234567890, -20955588357738258432]';
    expect((await alice.get(at(name, '/meta?plugin=JSON'))).text).toContain(shown);
  });

  it('keeps all keys that are set concurrently', async () => {
    const name = await add('DATASET');
    const keys = Array.from({ length: 30 }, (_value, index) => `key${index}`);
    for (const answer of await Promise.all(keys.map((key, index) => set(name, key, index)))) expectCreated(answer);
    expect(Object.keys(await read(name, 'JSON')).toSorted((a, b) => a.localeCompare(b))).toEqual(
      keys.toSorted((a, b) => a.localeCompare(b)),
    );
  });

  it('converts what a column can hold and refuses the rest with 400 InvalidValueForKey', async () => {
    const name = await add('DATASET');
    for (const [key, value, shown] of [
      ['task_id', '12', 12],
      ['hidden', 'TRUE', true],
      ['project', 5, '5'],
      ['eol_at', '2027-01-15', 'Fri, 15 Jan 2027 00:00:00 UTC'],
      ['accessed_at', '2026-01-02 03:04:05', 'Fri, 02 Jan 2026 03:04:05 UTC'],
      ['closed_at', '2026-01-02', 'Fri, 02 Jan 2026 00:00:00 UTC'],
      ['is_archive', true, true],
    ] as const) {
      expectCreated(await set(name, key, value));
      expect((await read(name))[key]).toBe(shown);
      if (key === 'hidden') continue;
      expectCreated(await set(name, key, null));
      expect((await read(name))[key]).toBeNull();
    }
    const tooLong = 'x'.repeat(51);
    for (const [key, value] of [
      ['run_number', 'many'],
      ['run_number', 1.5],
      ['run_number', { toString: null }],
      ['provenance', [{ toString: null }]],
      ['project', tooLong],
      ['provenance', ['a']],
      ['hidden', 'perhaps'],
      ['hidden', null],
      ['eol_at', 'soon'],
      ['eol_at', '2026-02-30'],
      ['lifetime', 'soon'],
      ['lifetime', [1]],
      ['accessed_at', 'yesterday'],
    ] as const) {
      expectError(await set(name, key, value), 400, 'InvalidValueForKey');
    }
  });

  it('expires a DID after its lifetime; 0: now, null: never', async () => {
    const name = await add('DATASET');
    expectCreated(await set(name, 'lifetime', '3600'));
    const end = Date.parse((await read(name))['expired_at'] as string);
    expect(Math.abs(end - Date.now() - 3_600_000)).toBeLessThan(10_000);
    expectCreated(await set(name, 'lifetime', null));
    expect((await read(name))['expired_at']).toBeNull();
    expectCreated(await set(name, 'lifetime', 0));
    expect((await read(name))['expired_at']).not.toBeNull();
    expectCreated(await set(name, 'lifetime', null));
  });

  it('copies guid and events of a file to its attachments, and keeps the sum of every dataset', async () => {
    const [one, two] = [await add('DATASET'), await add('DATASET')];
    const file = await addFile(one);
    const other = await addFile(one, { events: 3 });
    expect((await alice.post(at(two, '/dids'), { dids: [{ scope, name: file }] })).status).toBe(201);
    expect((await read(one))['events']).toBeNull();
    const guid = crypto.randomUUID();
    expectCreated(await alice.post(at(file, '/meta'), { meta: { guid, events: 5 } }));
    const digits = guid.replaceAll('-', '');
    expect(await read(file)).toMatchObject({ guid: digits, events: 5 });
    expect((await alice.get(at(two, '/files'))).lines()).toMatchObject([{ guid: digits.toUpperCase(), events: 5 }]);
    expect([(await read(one))['events'], (await read(two))['events']]).toEqual([8, 5]);
    expectCreated(await set(file, 'events', 7));
    expectCreated(await set(other, 'events', null));
    expect([(await read(one))['events'], (await read(two))['events']]).toEqual([7, 7]);
    expectEmpty(await alice.delete(at(one, '/dids'), { dids: [{ scope, name: file }] }));
    expect((await read(one))['events']).toBe(0);
    for (const key of ['guid', 'events']) {
      expectError(
        await set(one, key, key === 'guid' ? guid : 1),
        409,
        'UnsupportedOperation',
        `${key} for ${scope}:${one} cannot be updated`,
      );
    }
  });

  it('shows the sum of events once the dataset is closed', async () => {
    const dataset = await add('DATASET');
    await addFile(dataset, { events: 3 });
    expectEmpty(await alice.put(at(dataset, '/status'), { open: false }));
    expect(await read(dataset)).toMatchObject({ events: 3, length: 1, bytes: 10, is_open: false });
  });

  it('applies to the direct children with `recursive`, plain columns only', async () => {
    const [container, dataset] = [await add('CONTAINER'), await add('DATASET')];
    const file = await addFile(dataset);
    expect((await alice.post(at(container, '/dids'), { dids: [{ scope, name: dataset }] })).status).toBe(201);
    const meta = { campaign: 'c24', eol_at: '2027-01-15', lifetime: 3600, shift: 'night', is_archive: true };
    expectCreated(await alice.post(at(container, '/meta'), { meta, recursive: true }));
    expect(await read(dataset, 'ALL')).toMatchObject({
      campaign: 'c24',
      is_archive: true,
      eol_at: null,
      expired_at: null,
    });
    expect(await read(dataset, 'JSON')).toEqual({});
    expect((await read(file))['campaign']).toBeNull();
  });

  it('refuses reserved keys to everybody, others to all but the owner of the scope, root and admins', async () => {
    const name = await add('DATASET');
    for (const key of ['name', 'bytes', 'expired_at', 'created_at', 'suppressed']) {
      const message = `Account ${alice.account} can not change this metadata value to data identifier ${scope}:${name}`;
      expectError(await set(name, key, 'x'), 401, 'AccessDenied', message);
    }
    const several = `Account ${alice.account} can not change the value of the metadata key name to data identifier ${scope}:${name}`;
    expectError(
      await alice.post(at(name, '/meta'), { meta: { project: 'p', name: 'x' } }),
      401,
      'AccessDenied',
      several,
    );
    const foreign = `Account ${bob.account} can not add metadata to data identifier ${scope}:${name}. `;
    expectError(await bob.post(at(name, '/meta/project'), { value: 'p' }), 401, 'AccessDenied', foreign);
    expectError(await bob.delete(at(name, '/meta?key=shift')), 401, 'AccessDenied', foreign);
    expect(await read(name)).toMatchObject({ project: null, name });
  });

  it('sets nothing when one of several keys is refused', async () => {
    const name = await add('DATASET');
    for (const bad of [{ 'a.b': 1 }, { type: 'FILE' }, { run_number: 'many' }]) {
      expect((await alice.post(at(name, '/meta'), { meta: { project: 'p', shift: 'night', ...bad } })).status).toBe(
        400,
      );
    }
    expect(await read(name, 'ALL')).toMatchObject({ project: null });
    expect(await read(name, 'JSON')).toEqual({});
  });

  it('limits the keys of one request, so that no write can fail halfway', async () => {
    const name = await add('DATASET');
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_value, i) => [`key${i}`, i]));
    expectCreated(await alice.post(at(name, '/meta'), { meta: keys(200) }));
    expect(Object.keys(await read(name, 'JSON'))).toHaveLength(200);
    expectError(await alice.post(at(name, '/meta'), { meta: keys(201) }), 400, 'InvalidMetadata');
    expectError(await set(name, 'k'.repeat(4001), 1), 400, 'InvalidMetadata');
    expectError(await set(name, 'big', 'x'.repeat(500_000)), 413, 'PayloadTooLarge');
  });

  it('leaves room for what the service writes: 64 KB of free metadata, in one request or in several', async () => {
    const name = await add('DATASET');
    const about = (did: string) => new RegExp(`The free metadata of ${scope}:${did} would take`);
    expectError(await set(name, 'big', 'x'.repeat(70_000)), 413, 'PayloadTooLarge', about(name));
    expectCreated(await set(name, 'one', 'x'.repeat(40_000)));
    expectError(await set(name, 'two', 'x'.repeat(40_000)), 413, 'PayloadTooLarge', about(name));
    const dids = [
      { scope, name, meta: { two: 'x'.repeat(20_000) } },
      { scope, name, meta: { three: 'x'.repeat(20_000) } },
    ];
    expectError(await alice.post('/dids/bulkdidsmeta', { dids }), 413, 'PayloadTooLarge', about(name));
    expect(Object.keys(await read(name, 'JSON'))).toEqual(['one']);
    expectCreated(await set(name, 'one', 'x'.repeat(10)));
    expectCreated(await set(name, 'two', 'x'.repeat(60_000)));
    const [whole, file] = [uniqueName(), uniqueName()];
    const meta = { text: 'x'.repeat(70_000) };
    expectError(await alice.post(at(whole), { type: 'DATASET', meta }), 413, 'PayloadTooLarge', about(whole));
    const files = [{ scope, name: file, bytes: 1, meta }];
    expectError(await alice.post('/replicas', { rse, files }), 413, 'PayloadTooLarge', about(file));
  });

  it('is 404 for an unknown DID', async () => {
    expectError(
      await set('nothing', 'shift', 'x'),
      404,
      'DataIdentifierNotFound',
      `Data identifier '${scope}:nothing' not found`,
    );
    expectError(await set('bad name', 'shift', 'x'), 404, 'DataIdentifierNotFound');
  });
});

describe('delete metadata (dids 2.17)', () => {
  it('deletes one free key and leaves the others', async () => {
    const name = await add('DATASET', { meta: { a: 1, b: 2, c: 3 } });
    expectEmpty(await alice.delete(at(name, '/meta?key=b')));
    expect(await read(name, 'JSON')).toEqual({ a: 1, c: 3 });
    expectError(await alice.delete(at(name, '/meta?key=b')), 404, 'KeyNotFound', 'b');
    expectError(await alice.delete(at(name, '/meta')), 404, 'KeyNotFound', 'No key provided to remove');
  });

  it('cannot delete a column, nor a key of a DID without free metadata', async () => {
    const name = await add('DATASET');
    expectError(
      await alice.delete(at(name, '/meta?key=project')),
      409,
      'NotImplementedError',
      'Feature not in current database',
    );
    const message = `Key not found for data identifier '${scope}:${name}'`;
    expectError(await alice.delete(at(name, '/meta?key=shift')), 404, 'DataIdentifierNotFound', message);
  });
});

describe('conventions at the creation of a dataset (dids 2.2 step 4, 2.2 step 5)', () => {
  it('gives the project of a user or group scope to datasets and to the files that are made in them', async () => {
    const user = await newScope({ owner: alice.account, prefix: 'user.' });
    const file = { scope: user, name: uniqueName('file'), bytes: 1 };
    expect((await alice.post(`/dids/${user}/ds`, { type: 'DATASET', dids: [file], rse })).status).toBe(201);
    for (const name of ['ds', file.name]) {
      expect((await alice.get(`/dids/${user}/${name}/meta`)).json()).toMatchObject({ project: 'user' });
    }
    const other = { type: 'DATASET', meta: { project: 'beam' } };
    expectError(
      await alice.post(`/dids/${user}/other`, other),
      400,
      'InvalidObject',
      /project doesn't match the naming convention: beam != user/,
    );
    expect((await alice.post(`/dids/${user}/same`, { type: 'DATASET', meta: { project: 'user' } })).status).toBe(201);
    expect((await alice.post(`/dids/${user}/cont`, { type: 'CONTAINER', meta: { project: 'beam' } })).status).toBe(201);
  });
});
