import { beforeAll, describe, expect, it } from 'vitest';

import {
  files,
  list,
  newStorageRse,
  newReplicaSetup,
  register,
  states,
  type ReplicaSetup,
} from '../support/replicas.ts';
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
let setup: ReplicaSetup;

beforeAll(async () => {
  setup = await newReplicaSetup();
});

const put = (rse: unknown, changes: unknown, as = root) => as.put('/replicas', { rse, files: changes });
const to = (state: string, ...names: string[]) => names.map((name) => ({ scope: setup.scope, name, state }));

async function newFiles(count: number, more: object = {}): Promise<string[]> {
  const names = Array.from({ length: count }, () => uniqueName('f'));
  await register(setup.one, setup.scope, names, more);
  return names;
}

describe('PUT /replicas (replication 1.3)', () => {
  it('sets states by letter or by name, and ignores further keys of an upload', async () => {
    const [name = ''] = await newFiles(1, { state: 'C' });
    const entry = { ...files(setup.scope, [name])[0], state: 'A', meta: { guid: 'x' }, pfn: 'y', md5: null };
    expectEmpty(await put(setup.one, [entry]));
    expect(await states(setup.scope, name)).toEqual({ [setup.one]: 'AVAILABLE' });
    for (const [letter, full] of [
      ['U', 'UNAVAILABLE'],
      ['C', 'COPYING'],
      ['D', 'BAD'],
      ['T', 'TEMPORARY_UNAVAILABLE'],
      ['B', 'BEING_DELETED'],
    ] as const) {
      expectEmpty(await put(setup.one, to('AVAILABLE', name)));
      expectEmpty(await put(setup.one, to(letter, name)));
      expect(await states(setup.scope, name)).toEqual({ [setup.one]: full });
      expectEmpty(await put(setup.one, to('AVAILABLE', name)));
      expectEmpty(await put(setup.one, to(full, name)));
      expect(await states(setup.scope, name)).toEqual({ [setup.one]: full });
    }
  });

  it('does not change other replicas of the file', async () => {
    const [name = ''] = await newFiles(1);
    await register(setup.two, setup.scope, [name]);
    expectEmpty(await put(setup.two, to('U', name)));
    expect(await states(setup.scope, name)).toEqual({ [setup.one]: 'AVAILABLE', [setup.two]: 'UNAVAILABLE' });
  });

  it('changes all or none', async () => {
    const names = await newFiles(30);
    const answer = await put(setup.one, [...to('U', ...names), ...to('A', 'none')]);
    const message = `No row found for scope: ${setup.scope} name: none rse: ${setup.one}`;
    expectError(answer, 404, 'ReplicaNotFound', message);
    expect((await list(setup.scope, names, { all_states: true })).map((line) => line.states)).toEqual(
      names.map(() => ({ [setup.one]: 'AVAILABLE' })),
    );
    expectEmpty(await put(setup.one, to('U', ...names)));
    for (const line of await list(setup.scope, names, { all_states: true })) {
      expect(line.states).toEqual({ [setup.one]: 'UNAVAILABLE' });
    }
  });

  it('keeps the later of two changes of a replica, and accepts an empty list', async () => {
    const [name = ''] = await newFiles(1);
    expectEmpty(await put(setup.one, [...to('U', name), ...to('C', name)]));
    expect(await states(setup.scope, name)).toEqual({ [setup.one]: 'COPYING' });
    expectEmpty(await put(setup.one, []));
  });

  it('stores another path on a non-deterministic RSE', async () => {
    const rse = await newStorageRse({ deterministic: false, prefix: '/store' });
    const name = uniqueName('f');
    await register(rse, setup.scope, [name], { pfn: 'file://localhost/store/old/place' });
    expectEmpty(await put(rse, [{ scope: setup.scope, name, state: 'A', path: 'new/place' }]));
    expect((await list(setup.scope, [name]))[0]?.rses).toEqual({ [rse]: ['file://localhost/store/new/place'] });
    expectEmpty(await put(rse, [{ scope: setup.scope, name, state: 'A', path: '' }]));
    expect((await list(setup.scope, [name]))[0]?.rses).toEqual({ [rse]: ['file://localhost/store/new/place'] });
  });

  it('shows in lists of replicas that have changed since', async () => {
    const [name = ''] = await newFiles(1);
    await new Promise((resolve) => {
      setTimeout(resolve, 1100);
    });
    const now = new Date().toISOString().slice(0, 19);
    expect((await list(setup.scope, [name], { updated_after: now }))[0]?.states).toEqual({});
    expectEmpty(await put(setup.one, to('A', name)));
    expect((await list(setup.scope, [name], { updated_after: now }))[0]?.states).toEqual({ [setup.one]: 'AVAILABLE' });
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

  it('fails for collections and for invalid names', async () => {
    const name = uniqueName('ds');
    await root.post(`/dids/${setup.scope}/${name}`, { type: 'DATASET' });
    expectError(await put(setup.one, to('A', name)), 404, 'ReplicaNotFound');
    expectError(await put(setup.one, [{ scope: '#', name: '', state: 'A' }]), 404, 'ReplicaNotFound');
  });
});

describe('who may change states (replication 6)', () => {
  it('admins, and for the states of a transfer the owner of the scope, and movers', async () => {
    const { alice } = setup;
    const own = await newScope({ owner: alice.account });
    const [foreign = ''] = await newFiles(1);
    await register(setup.one, own, ['f']);
    const denied = `Account ${alice.account} can not update file replicas state on ${setup.one}. `;
    expectError(await put(setup.one, to('A', foreign), alice), 401, 'AccessDenied', denied);
    const mine = (state: string) => put(setup.one, [{ scope: own, name: 'f', state }], alice);
    for (const state of ['A', 'U', 'C']) expectEmpty(await mine(state));
    for (const state of ['B', 'D', 'T']) expectError(await mine(state), 401, 'AccessDenied', denied);

    const mover = await newAccount();
    expectCreated(await root.post(`/accounts/${mover.account}/attr/mover`, { key: 'mover', value: 'True' }));
    for (const state of ['U', 'C', 'A']) expectEmpty(await put(setup.one, to(state, foreign), mover));
    expectError(await put(setup.one, to('D', foreign), mover), 401, 'AccessDenied');
    const both = [...to('A', foreign), { scope: own, name: 'f', state: 'A' }];
    expectError(await put(setup.one, both, alice), 401, 'AccessDenied');
    const admin = await newAccount({ admin: true });
    expectEmpty(await put(setup.one, to('D', foreign), admin));
  });

  it('not the account of a rule: it cannot claim the copy for which it asks', async () => {
    const { alice, scope } = setup;
    const [name = ''] = await newFiles(1);
    const rse = await newStorageRse();
    expectCreated(await root.post(`/accounts/${alice.account}/limits/local/${rse}`, { bytes: 1e9 }));
    const rule = { dids: [{ scope, name }], copies: 1, rse_expression: rse, account: alice.account };
    expect((await alice.post('/rules/', rule)).status).toBe(201);
    for (const state of ['A', 'U', 'C']) expectError(await put(rse, to(state, name), alice), 401, 'AccessDenied');
    expect(await states(scope, name)).toEqual({ [setup.one]: 'AVAILABLE', [rse]: 'COPYING' });
  });

  it('refuses T of a replica that is not there, naming it', async () => {
    const [name = ''] = await newFiles(1);
    for (const state of ['U', 'C', 'D', 'B']) {
      expectEmpty(await put(setup.one, to('A', name)));
      expectEmpty(await put(setup.one, to(state, name)));
      const refusal = `State TEMPORARY_UNAVAILABLE for replica ${setup.scope}:${name} on ${setup.one} cannot be updated`;
      expectError(await put(setup.one, to('T', name)), 409, 'UnsupportedOperation', refusal);
    }
  });
});

describe('POST /replicas/tombstone (replication 1.7)', () => {
  const mark = (replicas: unknown, as = root) => as.post('/replicas/tombstone', { replicas });

  it('marks replicas on several RSEs', async () => {
    const [name = ''] = await newFiles(1);
    await register(setup.two, setup.scope, [name]);
    const did = { scope: setup.scope, name };
    expectCreated(
      await mark([
        { ...did, rse: setup.one },
        { ...did, rse: setup.two },
        { ...did, rse: setup.two },
      ]),
    );
    expectCreated(await mark([]));
    expectCreated(await root.post('/replicas/tombstone', {}));
  });

  it('refuses unknown replicas and callers other than admins', async () => {
    const [name = ''] = await newFiles(1);
    const did = { scope: setup.scope, name };
    const none = `Replica ${setup.scope}:${name} on RSE ${setup.two} could not be found.`;
    expectError(await mark([{ ...did, rse: setup.two }]), 404, 'ReplicaNotFound', none);
    expectError(await mark([{ ...did, rse: 'NONE' }]), 404, 'RSENotFound', "RSE 'NONE' cannot be found in vo 'def'");
    expectError(await mark([{ rse: setup.one }]), 400, 'InvalidObject');
    const denied = `Account ${setup.alice.account} can not set tombstones. `;
    expectError(await mark([{ ...did, rse: setup.one }], setup.alice), 401, 'AccessDenied', denied);
  });
});
