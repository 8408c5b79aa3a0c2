/** Acceptance of rules and replicas (spec/replication.md 8): uploads, content and counters. */
import { beforeAll, describe, expect, it } from 'vitest';

import { collect, expectStatus, list, register, states } from '../support/replicas.ts';
import {
  attach,
  contentOf,
  detach,
  expectProtection,
  expectState,
  protectionOf,
  locksOf,
  newReplicationSetup,
  type ReplicationSetup,
  putReplicaStates,
  stateOf,
  usageOf,
} from '../support/replication.ts';
import { allow, linesOf, newRule, ruleOf, update } from '../support/rules.ts';
import {
  asRoot,
  type Client,
  expectCreated,
  expectEmpty,
  expectError,
  newAccount,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();
let setup: ReplicationSetup;

beforeAll(async () => {
  setup = await newReplicationSetup();
});

const did = (name: string) => ({ scope: setup.scope, name });
const entry = (name: string, state: string) => ({
  ...did(name),
  state,
  bytes: 10,
  adler32: '0cc737eb',
  md5: '61e7d212cfe1776e49be2f97b69b7f4d',
  meta: { guid: '3b8ff4c61b154c4aa4cd3c4bbba0ab31' },
});

/** Registers a file as an upload begins; steps 1 to 7 of its call sequence. */
async function beginUpload(client: Client, name: string, rse: string): Promise<void> {
  expect((await client.get(`/rses/?expression=${rse}`)).lines()).toMatchObject([{ rse }]);
  expect((await client.get(`/rses/${rse}`)).json()).toMatchObject({
    rse,
    deterministic: true,
    availability_write: true,
  });
  expectStatus(await client.get(`/rses/${rse}/attr/`), 200);
  // Of an account without scopes the client only warns.
  expect([200, 404]).toContain((await client.get(`/accounts/${client.account}/scopes/`)).status);
  const unknown = await client.get(`/dids/${setup.scope}/${name}/meta?plugin=DID_COLUMN`);
  expectError(unknown, 404, 'DataIdentifierNotFound');
  const files = [entry(name, 'C')];
  expectCreated(await client.post('/replicas', { rse, files, ignore_availability: true }));
}

const ruleFor = (name: string, rse: string, account: string) => ({
  dids: [did(name)],
  account,
  copies: 1,
  rse_expression: rse,
  grouping: 'DATASET',
  weight: null,
  lifetime: null,
  locked: false,
  subscription_id: null,
});

describe('acceptance of replication (replication 8)', () => {
  it('1. upload of one file with limit: the rule goes REPLICATING to OK at PUT; one lock, no tombstone', async () => {
    const admin = asRoot();
    await allow('root', setup.one);
    const name = uniqueName('f');
    await beginUpload(admin, name, setup.one);
    const answer = await admin.post('/rules/', ruleFor(name, setup.one, 'root'));
    expectStatus(answer, 201);
    const [id = ''] = answer.json() as string[];
    expect(await stateOf(id)).toBe('REPLICATING 0/1/0');
    expectStatus(await admin.post('/traces/', { eventType: 'upload' }), 201);
    expectEmpty(await admin.put('/replicas', { rse: setup.one, files: [entry(name, 'A')] }));
    expect(await stateOf(id)).toBe('OK 1/0/0');
    expect(await locksOf(id)).toEqual({ [`${name} ${setup.one}`]: 'OK' });
    await expectProtection(did(name), setup.one, 1, null);
    expectError(
      await root.post('/replicas/tombstone', { replicas: [{ ...did(name), rse: setup.one }] }),
      423,
      'ReplicaIsLocked',
    );
  });

  it('2. the same upload without limit: InsufficientAccountLimit, the replica stays C, no rule', async () => {
    const client = await newAccount({ admin: false });
    const name = uniqueName('f');
    await beginUpload(setup.owner, name, setup.one);
    const refused = await client.post('/rules/', ruleFor(name, setup.one, client.account));
    const message = "There is insufficient quota on any of the target RSE's to fulfill the operation.";
    expectError(refused, 409, 'InsufficientAccountLimit', message);
    expect(await states(setup.scope, name)).toEqual({ [setup.one]: 'COPYING' });
    expect(await linesOf(`/dids/${setup.scope}/${name}/rules`)).toEqual([]);
  });

  it('3. upload into a dataset: rule OK 0/0/0 with a dataset lock at creation, then 1/0/0; 1 of 1 there', async () => {
    const { scope, one, owner, account } = setup;
    const [dataset, name] = [uniqueName('ds'), uniqueName('f')];
    const rules = [{ account, copies: 1, rse_expression: one, grouping: 'DATASET', lifetime: null }];
    expectStatus(await owner.post(`/dids/${scope}/${dataset}`, { type: 'DATASET', rules }), 201);
    const [made] = await linesOf(`/dids/${scope}/${dataset}/rules`);
    const id = String(made?.id);
    await expectState(id, 'OK 0/0/0');
    const locks = () => linesOf(`/locks/${scope}/${dataset}?did_type=dataset`);
    await expect.poll(locks).toMatchObject([{ rse: one, rule_id: id, state: 'OK', length: null, bytes: null }]);
    await beginUpload(owner, name, one);
    expectEmpty(await owner.put('/replicas', { rse: one, files: [entry(name, 'A')] }));
    await attach(did(dataset), [did(name)]);
    await expectState(id, 'OK 1/0/0');
    const [line] = await linesOf(`/replicas/${scope}/${dataset}/datasets`);
    expect(line).toMatchObject({ rse: one, available_length: 1, length: 1, state: 'AVAILABLE' });
  });

  it('4. a second file with a replica elsewhere, attached to a dataset with an OK rule: REPLICATING, and OK at PUT', async () => {
    const { scope, one, two } = setup;
    const [first, second, dataset] = [uniqueName('f'), uniqueName('f'), uniqueName('ds')];
    await register(one, scope, [first]);
    await register(two, scope, [second]);
    await collect('DATASET', scope, dataset, [first]);
    const id = await newRule(did(dataset), one, {}, setup.owner);
    expect(await stateOf(id)).toBe('OK 1/0/0');
    await attach(did(dataset), [did(second)]);
    await expectState(id, 'REPLICATING 1/1/0');
    expect(await states(scope, second)).toEqual({ [one]: 'COPYING', [two]: 'AVAILABLE' });
    await putReplicaStates(one, [did(second)], 'A');
    expect(await stateOf(id)).toBe('OK 2/0/0');
  });

  it('5. detach: lock gone, tombstone set, counters and usage down, rule OK', async () => {
    const { scope, two, owner, account } = await newReplicationSetup();
    const [first, second, dataset] = [uniqueName('f'), uniqueName('f'), uniqueName('ds')].map((name) => ({
      scope,
      name,
    }));
    if (first === undefined || second === undefined || dataset === undefined) throw new Error('no names');
    await register(two, scope, [first.name, second.name]);
    await collect('DATASET', scope, dataset.name, [first.name, second.name]);
    const id = await newRule(dataset, two, {}, owner);
    expect(await usageOf(account, two)).toEqual([2, 20]);
    await detach(dataset, [second]);
    await expectState(id, 'OK 1/0/0');
    expect(await locksOf(id)).toEqual({ [`${first.name} ${two}`]: 'OK' });
    expect(await usageOf(account, two)).toEqual([1, 10]);
    await expectProtection(second, two, 0, 'birth');
    await expectProtection(first, two, 1, null);
  });

  it('6. two copies over two RSEs with files on one: REPLICATING 2/2/0, 3/1/0, then OK 4/0/0', async () => {
    const { scope, one, two } = setup;
    const [names, dataset] = [[uniqueName('f'), uniqueName('f')], uniqueName('ds')];
    await register(one, scope, names);
    await collect('DATASET', scope, dataset, names);
    const id = await newRule(did(dataset), `${one}|${two}`, { copies: 2 }, setup.owner);
    expect(await stateOf(id)).toBe('REPLICATING 2/2/0');
    const [first = '', second = ''] = names;
    await putReplicaStates(two, [did(first)], 'A');
    expect(await stateOf(id)).toBe('REPLICATING 3/1/0');
    await putReplicaStates(two, [did(second)], 'A');
    expect(await stateOf(id)).toBe('OK 4/0/0');
  });

  it('12. a rule on an open empty dataset is OK; closed, its lock has length and bytes, and nothing is attached', async () => {
    const { scope, one } = setup;
    const [name, dataset] = [uniqueName('f'), uniqueName('ds')];
    await register(one, scope, [name]);
    await collect('DATASET', scope, dataset, []);
    const id = await newRule(did(dataset), one, {}, setup.owner);
    expect(await stateOf(id)).toBe('OK 0/0/0');
    await attach(did(dataset), [did(name)]);
    await expectState(id, 'OK 1/0/0');
    const locks = () => linesOf(`/locks/${scope}/${dataset}?did_type=dataset`);
    expect(await locks()).toMatchObject([{ length: null, bytes: null }]);
    expectEmpty(await root.put(`/dids/${scope}/${dataset}/status`, { open: false }));
    expect(await locks()).toMatchObject([{ rse: one, rule_id: id, state: 'OK', length: 1, bytes: 10 }]);
    await register(one, scope, [`${name}.late`]);
    const refused = await root.post(`/dids/${scope}/${dataset}/dids`, { dids: [did(`${name}.late`)] });
    expectError(refused, 409, 'UnsupportedOperation', `Data identifier '${scope}:${dataset}' is closed`);
  });

  it('13. two rules on one replica: two locks; deleting one of them leaves no tombstone', async () => {
    const { scope, one, two, owner, account } = await newReplicationSetup();
    const file = { scope, name: uniqueName('f') };
    await register(one, scope, [file.name]);
    const [kept, gone] = [await newRule(file, one, {}, owner), await newRule(file, `${one}|${two}`, {}, owner)];
    await expectProtection(file, one, 2, null);
    expect(await usageOf(account, one)).toEqual([2, 20]);
    expectEmpty(await update(gone, { lifetime: 0 }));
    await expect.poll(async () => (await root.get(`/rules/${gone}`)).status).toBe(404);
    await expectProtection(file, one, 1, null);
    expect(await usageOf(account, one)).toEqual([1, 10]);
    expect(await stateOf(kept)).toBe('OK 1/0/0');
    expect(await contentOf(one)).toEqual([1, 10]);
  });

  it('14. PUT U: lock and rule STUCK with an error, which the analysis shows; PUT A repairs', async () => {
    const { scope, one } = setup;
    const [name, dataset] = [uniqueName('f'), uniqueName('ds')];
    await register(one, scope, [name]);
    await collect('DATASET', scope, dataset, [name]);
    const id = await newRule(did(dataset), one, {}, setup.owner);
    await putReplicaStates(one, [did(name)], 'U', { error_message: 'the disk is gone' });
    expect(await stateOf(id)).toBe('STUCK 0/0/1');
    expect(await ruleOf(id)).toMatchObject({ error: 'the disk is gone', stuck_at: expect.stringContaining('UTC') });
    expect(await locksOf(id)).toEqual({ [`${name} ${one}`]: 'STUCK' });
    expect((await root.get(`/rules/${id}/analysis`)).json()).toMatchObject({
      rule_error: 'the disk is gone',
      transfers: [{ scope, name, rse: one }],
    });
    expect(await linesOf(`/locks/${scope}/${dataset}?did_type=dataset`)).toMatchObject([{ state: 'STUCK' }]);
    await putReplicaStates(one, [did(name)], 'A');
    expect(await stateOf(id)).toBe('OK 1/0/0');
    expect(await ruleOf(id)).toMatchObject({ error: null, stuck_at: null });
    expect((await root.get(`/rules/${id}/analysis`)).json()).toMatchObject({ transfers: [] });
    expect((await list(scope, [name]))[0]?.states).toEqual({ [one]: 'AVAILABLE' });
    expect((await protectionOf(did(name), one))?.lockCount ?? 1).toBe(1);
  });
});
