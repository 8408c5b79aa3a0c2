import { beforeAll, describe, expect, it } from 'vitest';

import { files, list, newRse, newWorld, register, states, type World } from '../support/replicas.ts';
import {
  asRoot,
  expectCreated,
  expectEmpty,
  expectError,
  newAccount,
  newScope,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();
let world: World;

beforeAll(async () => {
  world = await newWorld();
});

const put = (rse: unknown, changes: unknown, as = root) => as.put('/replicas', { rse, files: changes });
const to = (state: string, ...names: string[]) => names.map((name) => ({ scope: world.scope, name, state }));

async function newFiles(count: number, more: object = {}): Promise<string[]> {
  const names = Array.from({ length: count }, () => uniqueName('f'));
  await register(world.one, world.scope, names, more);
  return names;
}

describe('PUT /replicas (replication 1.3)', () => {
  it('sets states by letter or by name, and ignores what an upload sends besides', async () => {
    const [name = ''] = await newFiles(1, { state: 'C' });
    const entry = { ...files(world.scope, [name])[0], state: 'A', meta: { guid: 'x' }, pfn: 'y', md5: null };
    expectEmpty(await put(world.one, [entry]));
    expect(await states(world.scope, name)).toEqual({ [world.one]: 'AVAILABLE' });
    for (const [letter, full] of [
      ['U', 'UNAVAILABLE'],
      ['C', 'COPYING'],
      ['D', 'BAD'],
      ['T', 'TEMPORARY_UNAVAILABLE'],
      ['B', 'BEING_DELETED'],
    ] as const) {
      expectEmpty(await put(world.one, to(letter, name)));
      expect(await states(world.scope, name)).toEqual({ [world.one]: full });
      expectEmpty(await put(world.one, to('AVAILABLE', name)));
      expectEmpty(await put(world.one, to(full, name)));
      expect(await states(world.scope, name)).toEqual({ [world.one]: full });
    }
  });

  it('leaves the other replicas of the file alone', async () => {
    const [name = ''] = await newFiles(1);
    await register(world.two, world.scope, [name]);
    expectEmpty(await put(world.two, to('U', name)));
    expect(await states(world.scope, name)).toEqual({ [world.one]: 'AVAILABLE', [world.two]: 'UNAVAILABLE' });
  });

  it('changes all or none', async () => {
    const names = await newFiles(30);
    const answer = await put(world.one, [...to('U', ...names), ...to('A', 'none')]);
    const message = `No row found for scope: ${world.scope} name: none rse: ${world.one}`;
    expectError(answer, 404, 'ReplicaNotFound', message);
    expect((await list(world.scope, names, { all_states: true })).map((line) => line.states)).toEqual(
      names.map(() => ({ [world.one]: 'AVAILABLE' })),
    );
    expectEmpty(await put(world.one, to('U', ...names)));
    for (const line of await list(world.scope, names, { all_states: true })) {
      expect(line.states).toEqual({ [world.one]: 'UNAVAILABLE' });
    }
  });

  it('lets the later one of two changes hold, and takes none at all', async () => {
    const [name = ''] = await newFiles(1);
    expectEmpty(await put(world.one, [...to('U', name), ...to('C', name)]));
    expect(await states(world.scope, name)).toEqual({ [world.one]: 'COPYING' });
    expectEmpty(await put(world.one, []));
  });

  it('keeps another path, on an RSE that goes by it', async () => {
    const rse = await newRse({ deterministic: false, prefix: '/store' });
    const name = uniqueName('f');
    await register(rse, world.scope, [name], { pfn: 'file://localhost/store/old/place' });
    expectEmpty(await put(rse, [{ scope: world.scope, name, state: 'A', path: 'new/place' }]));
    expect((await list(world.scope, [name]))[0]?.rses).toEqual({ [rse]: ['file://localhost/store/new/place'] });
    expectEmpty(await put(rse, [{ scope: world.scope, name, state: 'A', path: '' }]));
    expect((await list(world.scope, [name]))[0]?.rses).toEqual({ [rse]: ['file://localhost/store/new/place'] });
  });

  it('is seen by who asks for what has changed since', async () => {
    const [name = ''] = await newFiles(1);
    await new Promise((resolve) => {
      setTimeout(resolve, 1100);
    });
    const now = new Date().toISOString().slice(0, 19);
    expect((await list(world.scope, [name], { updated_after: now }))[0]?.states).toEqual({});
    expectEmpty(await put(world.one, to('A', name)));
    expect((await list(world.scope, [name], { updated_after: now }))[0]?.states).toEqual({ [world.one]: 'AVAILABLE' });
  });

  it.each([
    ['no RSE', { files: [] }, 400, 'KeyError', "'rse' not defined"],
    ['no files', { rse: 'X' }, 400, 'KeyError', "'files' not defined"],
    ['no state', { rse: 'X', files: [{ scope: 's', name: 'n' }] }, 400, 'InvalidObject'],
    ['a bad state', { rse: 'X', files: [{ scope: 's', name: 'n', state: 'S' }] }, 400, 'InvalidObject'],
    ['an unknown RSE', { rse: 'X', files: [] }, 404, 'RSENotFound', "RSE 'X' cannot be found in vo 'def'"],
    ['a list', [], 400, 'TypeError', 'body must be a json dictionary'],
  ])('answers %s with an error', async (_what, body, status, name, message?: string) => {
    expectError(await root.put('/replicas', body), status, name, message);
  });

  it('knows no replicas of collections, nor of names that there cannot be', async () => {
    const name = uniqueName('ds');
    await root.post(`/dids/${world.scope}/${name}`, { type: 'DATASET' });
    expectError(await put(world.one, to('A', name)), 404, 'ReplicaNotFound');
    expectError(await put(world.one, [{ scope: '#', name: '', state: 'A' }]), 404, 'ReplicaNotFound');
  });
});

describe('who may change states (replication 6)', () => {
  it('is an admin, and for the states of a transfer the owner of the scope or who registered the replica', async () => {
    const { alice, scope } = world;
    const own = await newScope({ owner: alice.account });
    const [foreign = ''] = await newFiles(1);
    await register(world.one, own, ['f']);
    const denied = `Account ${alice.account} can not update file replicas state on ${world.one}. `;
    expectError(await put(world.one, to('A', foreign), alice), 401, 'AccessDenied', denied);
    const mine = (state: string) => put(world.one, [{ scope: own, name: 'f', state }], alice);
    for (const state of ['A', 'U', 'C']) expectEmpty(await mine(state));
    for (const state of ['B', 'D', 'T']) expectError(await mine(state), 401, 'AccessDenied', denied);

    const rse = await newRse({ name: `${uniqueName('x').toUpperCase()}-MOCK` });
    expectCreated(await alice.post('/replicas', { rse, files: files(scope, [foreign]) }));
    expectEmpty(await put(rse, to('U', foreign), alice));
    const both = [...to('A', foreign), { scope: own, name: 'f', state: 'A' }];
    expectError(await put(world.one, both, alice), 401, 'AccessDenied');
    const admin = await newAccount({ admin: true });
    expectEmpty(await put(world.one, to('D', foreign), admin));
  });
});

describe('POST /replicas/tombstone (replication 1.7)', () => {
  const mark = (replicas: unknown, as = root) => as.post('/replicas/tombstone', { replicas });

  it('marks replicas on several RSEs', async () => {
    const [name = ''] = await newFiles(1);
    await register(world.two, world.scope, [name]);
    const did = { scope: world.scope, name };
    expectCreated(
      await mark([
        { ...did, rse: world.one },
        { ...did, rse: world.two },
        { ...did, rse: world.two },
      ]),
    );
    expectCreated(await mark([]));
    expectCreated(await root.post('/replicas/tombstone', {}));
  });

  it('refuses what there is not, and whoever is no admin', async () => {
    const [name = ''] = await newFiles(1);
    const did = { scope: world.scope, name };
    const none = `Replica ${world.scope}:${name} on RSE ${world.two} could not be found.`;
    expectError(await mark([{ ...did, rse: world.two }]), 404, 'ReplicaNotFound', none);
    expectError(await mark([{ ...did, rse: 'NONE' }]), 404, 'RSENotFound', "RSE 'NONE' cannot be found in vo 'def'");
    expectError(await mark([{ rse: world.one }]), 400, 'InvalidObject');
    const denied = `Account ${world.alice.account} can not set tombstones. `;
    expectError(await mark([{ ...did, rse: world.one }], world.alice), 401, 'AccessDenied', denied);
  });
});
