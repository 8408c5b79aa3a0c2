import { beforeAll, describe, expect, it } from 'vitest';

import { collect, expectStatus, register, states } from '../support/replicas.ts';
import { newDataset, newFile, newRule, newRuleSetup, postRule, ruleOf, type RuleSetup } from '../support/rules.ts';
import { asRoot, expectEmpty, expectError, uniqueName } from '../support/server.ts';

const root = asRoot();
let setup: RuleSetup;

beforeAll(async () => {
  setup = await newRuleSetup();
});

/** The state of a rule and its locks. */
const shown = async (id: string) => {
  const { state, locks_ok_cnt, locks_replicating_cnt, locks_stuck_cnt } = await ruleOf(id);
  return `${state} ${String(locks_ok_cnt)}/${String(locks_replicating_cnt)}/${String(locks_stuck_cnt)}`;
};

const eventually = (id: string, expected: string) => expect.poll(() => shown(id)).toBe(expected);

describe('a rule on existing content (replication 2.3, 3.3)', () => {
  it('is OK at once on RSEs with the files, and waits for copies elsewhere', async () => {
    const { scope, one, two } = setup;
    const dataset = await newDataset(scope, one, 3);
    expect(await shown(await newRule(dataset, one))).toBe('OK 3/0/0');
    expect(await shown(await newRule(dataset, `${one}|${two}`, { copies: 2 }))).toBe('REPLICATING 3/3/0');
    expect(await states(scope, `${dataset.name}.0`)).toEqual({ [one]: 'AVAILABLE', [two]: 'COPYING' });
  });

  it('is made for each of several DIDs, or for none', async () => {
    const { scope, one } = setup;
    const [first, second] = [await newFile(scope, one), await newFile(scope, one)];
    const post = (...dids: object[]) => root.post('/rules/', { dids, account: null, copies: 1, rse_expression: one });
    expectError(
      await post(first, { scope, name: 'none' }),
      404,
      'DataIdentifierNotFound',
      `Data identifier ${scope}:none is not valid.`,
    );
    expectError(await post(first, first), 409, 'DuplicateRule');
    expect((await root.get(`/dids/${scope}/${first.name}/rules`)).lines()).toEqual([]);
    const answer = await post(first, second);
    expect(answer.status).toBe(201);
    const rules = await Promise.all((answer.json() as string[]).map((id) => ruleOf(id)));
    expect(rules.map(({ name }) => name)).toEqual([first.name, second.name]);
  });

  it('is not made twice', async () => {
    const { scope, one, alice } = setup;
    const file = await newFile(scope, one);
    await newRule(file, one);
    expectError(
      await postRule(root, file, one, { lifetime: 5, grouping: 'ALL' }),
      409,
      'DuplicateRule',
      'A duplicate rule for this account, did, rse_expression, copies already exists.',
    );
    expect((await postRule(alice, file, one)).status).toBe(201);
  });
});

describe('a rule on changing content (replication 3.6, 8 #3, 8 #4, 8 #5)', () => {
  it('follows attachments, copies and detachments', async () => {
    const { scope, one, two } = setup;
    const dataset = { scope, name: uniqueName('ds') };
    const rule = { account: 'root', copies: 1, rse_expression: one, grouping: 'DATASET' };
    expectStatus(await root.post(`/dids/${scope}/${dataset.name}`, { type: 'DATASET', rules: [rule] }), 201);
    const [{ id }] = (await root.get(`/dids/${scope}/${dataset.name}/rules`)).lines() as [{ id: string }];
    expect(await shown(id)).toBe('OK 0/0/0');
    const locks = (await root.get(`/locks/${scope}/${dataset.name}?did_type=dataset`)).lines();
    expect(locks).toMatchObject([{ rse: one, state: 'OK', rule_id: id }]);

    const [here, there] = [await newFile(scope, one), await newFile(scope, two)];
    expectStatus(await root.post(`/dids/${scope}/${dataset.name}/dids`, { dids: [here] }), 201);
    await eventually(id, 'OK 1/0/0');
    expectStatus(await root.post(`/dids/${scope}/${dataset.name}/dids`, { dids: [there] }), 201);
    await eventually(id, 'REPLICATING 1/1/0');
    expectEmpty(await root.put('/replicas', { rse: one, files: [{ ...there, state: 'A' }] }));
    expect(await shown(id)).toBe('OK 2/0/0');
    expectEmpty(await root.delete(`/dids/${scope}/${dataset.name}/dids`, { dids: [there] }));
    await eventually(id, 'OK 1/0/0');
  });

  it('follows collections below its container', async () => {
    const { scope, one } = setup;
    const dataset = await newDataset(scope, one, 2);
    const [inner, top] = [uniqueName('inner'), uniqueName('top')];
    await collect('CONTAINER', scope, top, []);
    const id = await newRule({ scope, name: top }, one);
    await collect('CONTAINER', scope, inner, [dataset.name]);
    expectStatus(await root.post(`/dids/${scope}/${top}/dids`, { dids: [{ scope, name: inner }] }), 201);
    await eventually(id, 'OK 2/0/0');
    expectEmpty(await root.delete(`/dids/${scope}/${inner}/dids`, { dids: [dataset] }));
    await eventually(id, 'OK 0/0/0');
  });

  it('is placed by a task if asynchronous', async () => {
    const { scope, one, two } = setup;
    const dataset = await newDataset(scope, one, 2);
    const id = await newRule(dataset, `${one}|${two}`, { copies: 2, asynchronous: true });
    await eventually(id, 'REPLICATING 2/2/0');
  });
});

describe('rules of a new collection (dids 2.2, replication 2.3)', () => {
  const make = (rules: object[]) => {
    const name = uniqueName('ds');
    return { name, answer: root.post(`/dids/${setup.scope}/${name}`, { type: 'DATASET', rules }) };
  };

  it.each([
    [{ rse_expression: 'NO-SUCH-RSE' }, 400, 'InvalidRSEExpression'],
    [{ copies: 3 }, 409, 'InsufficientTargetRSEs'],
    [{ account: 'nobody-at-all' }, 404, 'AccountNotFound'],
  ])('are refused together with it: %j', async (wrong, status, exception) => {
    const { name, answer } = make([{ copies: 1, rse_expression: setup.one, ...wrong }]);
    expectError(await answer, status, exception);
    expect((await root.get(`/dids/${setup.scope}/${name}`)).status).toBe(404);
  });

  it('are refused if they are duplicates', async () => {
    const rule = { copies: 1, rse_expression: setup.one };
    expectError(await make([rule, rule]).answer, 409, 'DuplicateRule');
  });

  it('are placed on its content', async () => {
    const { scope, one } = setup;
    const names = [uniqueName('f'), uniqueName('f')];
    await register(one, scope, names);
    const name = uniqueName('ds');
    const dids = names.map((file) => ({ scope, name: file }));
    const rules = [{ copies: 1, rse_expression: one }];
    expectStatus(await root.post(`/dids/${scope}/${name}`, { type: 'DATASET', dids, rules }), 201);
    const [{ id }] = (await root.get(`/dids/${scope}/${name}/rules`)).lines() as [{ id: string }];
    await eventually(id, 'OK 2/0/0');
  });
});
