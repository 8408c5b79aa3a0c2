import { beforeAll, describe, expect, it } from 'vitest';

import { collect, expectStatus, newStorageRse } from '../support/replicas.ts';
import { allow, newDataset, newFile, newRule, newRuleSetup, type RuleSetup } from '../support/rules.ts';
import { asRoot, expectError, uniqueName } from '../support/server.ts';
import { walk } from '../support/walk.ts';

const root = asRoot();
const query = '?did_type=dataset';
let setup: RuleSetup;
let rse: string;
let datasets: readonly string[];
let container: string;
let rules: readonly string[];

/** The locks of a list by dataset, RSE and rule. */
const locks = async (path: string) => {
  const answer = await root.get(path);
  expectStatus(answer, 200);
  return (answer.lines() as { name: string; rse: string; rule_id: string }[]).map((lock) => [
    lock.name,
    lock.rse,
    lock.rule_id,
  ]);
};

beforeAll(async () => {
  setup = await newRuleSetup();
  const { scope, one } = setup;
  rse = await newStorageRse();
  await allow('root', rse);
  const made = [await newDataset(scope, one, 1), await newDataset(scope, one, 2)];
  datasets = made.map(({ name }) => name).toSorted();
  container = uniqueName('cont');
  await collect('CONTAINER', scope, container, datasets);
  rules = [
    await newRule({ scope, name: container }, rse),
    await newRule({ scope, name: datasets[0] }, `${one}|${rse}`, { copies: 2 }),
  ];
  await newRule({ scope, name: datasets[0] }, rse, { grouping: 'NONE' });
  await newRule(await newFile(scope, one), rse);
  expectStatus(await root.put(`/dids/${scope}/${datasets[1]}/status`, { open: false }), 200);
});

describe('GET /locks/{scope}/{name} (replication 4)', () => {
  it('lists the locks of a dataset, with sizes once it is closed', async () => {
    const { scope } = setup;
    const answer = await root.get(`/locks/${scope}/${datasets[1]}${query}`);
    const length = expect.any(Number);
    expect(answer.lines()).toEqual([
      {
        rse_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        rse,
        scope,
        name: datasets[1],
        rule_id: rules[0],
        account: 'root',
        state: 'REPLICATING',
        length,
        bytes: length,
        accessed_at: null,
      },
    ]);
    const [open] = (await root.get(`/locks/${scope}/${datasets[0]}${query}`)).lines();
    expect(open).toMatchObject({ length: null, bytes: null });
  });

  it('comes in pages', async () => {
    const path = `/locks/${setup.scope}/${datasets[0]}${query}`;
    const all = (await root.get(path)).lines();
    expect(all).toHaveLength(3);
    expect((await walk(root, path, 1)).flat()).toEqual(all);
  });

  it('is empty for files, containers and unknown DIDs', async () => {
    for (const name of [container, `${datasets[0]}.0`, 'nothing', 'no name']) {
      expect(await locks(`/locks/${setup.scope}/${encodeURIComponent(name)}${query}`)).toEqual([]);
    }
  });

  it.each(['', '?did_type=file'])('needs did_type=dataset: %j', async (other) => {
    const wrong = 'Wrong did_type specified';
    expectError(await root.get(`/locks/${setup.scope}/x${other}`), 400, 'ValueError', wrong);
    expectError(await root.get(`/locks/${rse}${other}`), 400, 'ValueError', wrong);
  });
});

describe('GET /locks/{rse} (replication 4)', () => {
  it('lists the dataset locks of an RSE, in pages too', async () => {
    const expected = [
      [datasets[0], rse, rules[0]],
      [datasets[0], rse, rules[1]],
      [datasets[1], rse, rules[0]],
    ].toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
    const path = `/locks/${rse}${query}`;
    expect(await locks(path)).toEqual(expected);
    expect((await walk(root, path, 1)).flat()).toEqual((await root.get(path)).lines());
    expect(await locks(`/locks/${await newStorageRse()}${query}`)).toEqual([]);
  });

  it('fails for an unknown RSE', async () => {
    expectError(
      await root.get(`/locks/NOWHERE${query}`),
      404,
      'RSENotFound',
      "RSE 'NOWHERE' cannot be found in vo 'def'",
    );
  });
});

describe('POST /locks/bulk_locks_for_dids (replication 4)', () => {
  const bulk = (dids: unknown) => root.post('/locks/bulk_locks_for_dids', { dids });

  it('lists each lock once, below containers too', async () => {
    const { scope } = setup;
    const dids = [
      { scope, name: datasets[0], type: 'dataset' },
      { scope, name: container },
      { scope, name: container, type: 'container' },
      { scope, name: 'nothing' },
    ];
    const answer = await bulk(dids);
    expectStatus(answer, 200);
    const found = (answer.lines() as { name: string }[]).map(({ name }) => name);
    expect(found.toSorted()).toEqual([datasets[0], datasets[0], datasets[0], datasets[1]]);
    expect((await bulk([])).text).toBe('');
  });

  it('fails for files, other types, and without DIDs', async () => {
    const { scope } = setup;
    const file = { scope, name: `${datasets[0]}.0` };
    const only = 'Can only get locks for datasets and containers.';
    expectError(await bulk([file]), 400, 'ValueError', only);
    expectError(await bulk([{ ...file, type: 'FILE' }]), 400, 'ValueError', 'Unknown DID type FILE');
    expectError(await bulk(undefined), 400, 'KeyError', "'dids' not defined");
    expectError(await bulk([{ scope }]), 400, 'InvalidObject');
  });
});
