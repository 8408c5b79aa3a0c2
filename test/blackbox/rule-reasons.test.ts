/** A rule that nothing can serve says why, and goes on by itself. No mover works for its RSEs. */
import { beforeAll, describe, expect, it } from 'vitest';

import { expectStatus, newStorageRse, register } from '../support/replicas.ts';
import { stateOf } from '../support/replication.ts';
import { allow, newDataset, newFile, newRule, newRuleSetup, ruleOf, type RuleSetup, update } from '../support/rules.ts';
import { asRoot, uniqueName } from '../support/server.ts';

const root = asRoot();
let setup: RuleSetup;
let three: string;

beforeAll(async () => {
  setup = await newRuleSetup();
  three = await newStorageRse();
  await allow('root', three);
});

interface Analysis {
  readonly rule_error: string | null;
  readonly transfers: readonly { readonly name: string; readonly rse: string; readonly last_error: string }[];
}

const analysisOf = async (id: string) => {
  const answer = await root.get(`/rules/${id}/analysis`);
  expectStatus(answer, 200);
  return answer.json() as Analysis;
};
/** The state of a rule, its error, and what its analysis says of each file. */
const reasonsOf = async (id: string) => {
  const { transfers } = await analysisOf(id);
  return [await stateOf(id), (await ruleOf(id))['error'], transfers.map(({ last_error: reason }) => reason)];
};
const missing = 'MissingSourceReplica';
const put = async (rse: string, name: string, state: string) =>
  expectStatus(await root.put('/replicas', { rse, files: [{ scope: setup.scope, name, state }] }), 200);

describe('a rule whose file has lost its last source', () => {
  it.each([
    [
      'is declared bad',
      async (name: string) => {
        const replicas = [{ scope: setup.scope, name, rse: setup.one }];
        expectStatus(
          await root.post('/replicas/bad/dids', {
            dids: replicas.map(({ scope }) => ({ scope, name })),
            rse: setup.one,
            reason: 'r',
          }),
          201,
        );
      },
    ],
    [
      'is declared bad as a replica',
      async (name: string) =>
        expectStatus(
          await root.post('/replicas/bad', { replicas: [{ scope: setup.scope, name, rse: setup.one }], reason: 'r' }),
          201,
        ),
    ],
    ['is reported to be away', (name: string) => put(setup.one, name, 'U')],
    ['is bad by its state', (name: string) => put(setup.one, name, 'D')],
    [
      'is deleted',
      async (name: string) =>
        expectStatus(await root.delete('/replicas', { rse: setup.one, files: [{ scope: setup.scope, name }] }), 200),
    ],
  ])('is STUCK, says why for each file, and goes on when a source is there: it %s', async (_how, lose) => {
    const { scope, one, two } = setup;
    const file = await newFile(scope, one);
    const id = await newRule(file, two);
    await expect.poll(() => reasonsOf(id)).toEqual(['REPLICATING 0/1/0', null, expect.any(Array)]);
    await lose(file.name);
    await expect.poll(() => reasonsOf(id)).toEqual(['STUCK 0/0/1', missing, [missing]]);
    await register(three, scope, [file.name]);
    await expect.poll(() => reasonsOf(id)).toEqual(['REPLICATING 0/1/0', null, expect.any(Array)]);
    const leased = await root.post('/requests/lease', { holder: 't', dst_rse: two, seconds: 60, limit: 100 });
    expect((leased.json() as { name: string }[]).map(({ name }) => name)).toContain(file.name);
    await put(two, file.name, 'A');
    expect(await stateOf(id)).toBe('OK 1/0/0');
  });

  it('says so of a rule that is made afterwards', async () => {
    const { scope, one, two } = setup;
    const file = await newFile(scope, one);
    await put(one, file.name, 'D');
    const id = await newRule(file, two);
    await expect.poll(() => reasonsOf(id)).toEqual(['STUCK 0/0/1', missing, [missing]]);
  });

  it('tells only of the files that have none', async () => {
    const { scope, one, two } = setup;
    const dataset = await newDataset(scope, one, 3);
    const id = await newRule(dataset, two);
    await put(one, `${dataset.name}.1`, 'D');
    await expect.poll(() => stateOf(id)).toBe('STUCK 0/2/1');
    const { rule_error: error, transfers } = await analysisOf(id);
    expect([error, transfers.map(({ name }) => name)]).toEqual([missing, [`${dataset.name}.1`]]);
  });
});

describe('a stuck rule whose RSE has left its expression', () => {
  const attribute = uniqueName('u').replaceAll('-', '_');

  it.each([
    ['open', undefined],
    ['closed for writing', { availability_write: false }],
  ])('says so once it is repaired, where others match that are %s', async (_how, change) => {
    const { scope, one } = setup;
    const [left, other] = [await newStorageRse(), await newStorageRse()];
    await allow('root', left, other);
    const value = uniqueName('v');
    expectStatus(await root.post(`/rses/${left}/attr/${attribute}`, { value }), 201);
    const file = await newFile(scope, one);
    const id = await newRule(file, `${attribute}=${value}`);
    await put(left, file.name, 'U');
    expect(await stateOf(id)).toBe('STUCK 0/0/1');
    expectStatus(await root.post(`/rses/${other}/attr/${attribute}`, { value }), 201);
    if (change !== undefined) expectStatus(await root.put(`/rses/${other}`, change), 201);
    expectStatus(await root.delete(`/rses/${left}/attr/${attribute}`), 200);
    expectStatus(await update(id, { boost_rule: true }), 200);
    await expect
      .poll(async () => (await ruleOf(id))['error'])
      .toBe(`Found stuck locks on RSEs not matching target expression: ${left}`);
  });

  it('says that an RSE is closed where it is, and that nothing matches where nothing does', async () => {
    const { scope, one } = setup;
    const only = await newStorageRse();
    await allow('root', only);
    const value = uniqueName('v');
    expectStatus(await root.post(`/rses/${only}/attr/${attribute}`, { value }), 201);
    const file = await newFile(scope, one);
    const id = await newRule(file, `${attribute}=${value}`);
    await put(only, file.name, 'U');
    expectStatus(await root.put(`/rses/${only}`, { availability_write: false }), 201);
    expectStatus(await update(id, { boost_rule: true }), 200);
    const errorOf = async () => (await ruleOf(id))['error'];
    await expect.poll(errorOf).toBe('RSE excluded; not available for writing.');
    expectStatus(await root.delete(`/rses/${only}/attr/${attribute}`), 200);
    expectStatus(await update(id, { boost_rule: true }), 200);
    await expect.poll(errorOf).toBe('RSE Expression resulted in an empty set.');
  });
});
