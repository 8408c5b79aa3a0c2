import { beforeAll, describe, expect, it } from 'vitest';

import { collect, expectStatus, list, register } from '../support/replicas.ts';
import { attach, newReplicationSetup, type ReplicationSetup, putReplicaStates } from '../support/replication.ts';
import { expectGone, linesOf, newRule } from '../support/rules.ts';
import { asRoot, expectEmpty, uniqueName } from '../support/server.ts';

const root = asRoot();
let setup: ReplicationSetup;

beforeAll(async () => {
  setup = await newReplicationSetup();
});

const did = (name: string) => ({ scope: setup.scope, name });
const shares = async (dataset: string) =>
  (await linesOf(`/replicas/${setup.scope}/${dataset}/datasets`)).map((line) => [
    line['rse'],
    line['available_length'],
    line['length'],
    line['state'],
  ]);
const ofRse = async (rse: string) => (await linesOf(`/replicas/rse/${rse}`)).map(({ name }) => name);

describe('replicas that rules ask for (replication 1.6, 3.3)', () => {
  it('are listed with the available files of a dataset, even if there are none', async () => {
    const { scope, one, two } = setup;
    const [file, dataset] = [uniqueName('f'), uniqueName('ds')];
    await collect('DATASET', scope, dataset, []);
    expect(await shares(dataset)).toEqual([]);
    await newRule(did(dataset), two, {}, setup.owner);
    expect(await shares(dataset)).toEqual([[two, 0, 0, 'AVAILABLE']]);
    expect(await ofRse(two)).toContain(dataset);
    expect(await linesOf(`/replicas/${scope}/${dataset}/datasets?deep=True`)).toEqual([]);
    await register(one, scope, [file]);
    await attach(did(dataset), [did(file)]);
    expect(await shares(dataset)).toEqual([[two, 0, 1, 'UNAVAILABLE']]);
    const copying = async () => (await list(scope, [file], { all_states: true }))[0]?.states;
    await expect.poll(copying).toEqual({ [one]: 'AVAILABLE', [two]: 'COPYING' });
    expect((await list(scope, [file]))[0]?.states).toEqual({ [one]: 'AVAILABLE' });
    await putReplicaStates(two, [did(file)], 'A');
    expect(await shares(dataset)).toEqual([[two, 1, 1, 'AVAILABLE']]);
    expect((await ofRse(two)).filter((name) => name === dataset)).toEqual([dataset]);
  });

  it('remove rules without locks when their last copy is deleted', async () => {
    const { scope, one, account } = setup;
    const [file, dataset] = [uniqueName('f'), uniqueName('ds')];
    await register(one, scope, [file]);
    await collect('DATASET', scope, dataset, [file]);
    expectEmpty(await root.put(`/dids/${scope}/${dataset}/status`, { open: false }));
    const waiting = { ask_approval: true, account };
    const ids = [await newRule(did(file), one, waiting), await newRule(did(dataset), one, waiting)];
    expectStatus(await root.delete('/replicas', { rse: one, files: [did(file)] }), 200);
    for (const id of ids) await expectGone(id);
    expectStatus(await root.get(`/dids/${scope}/${dataset}`), 404);
    expectStatus(await root.post(`/dids/${scope}/${dataset}`, { type: 'DATASET' }), 201);
    expect(await linesOf(`/dids/${scope}/${dataset}/rules`)).toEqual([]);
  });
});
