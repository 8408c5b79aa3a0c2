/** Rules are placed anew by their expression when people ask for it (replication 2.4, 2.8). */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { expectStatus, newStorageRse } from '../support/replicas.ts';
import { locksOf, stateOf } from '../support/replication.ts';
import {
  allow,
  expectGone,
  linesOf,
  newDataset,
  newRule,
  newRuleSetup,
  postRule,
  ruleOf,
  type RuleSetup,
  update,
} from '../support/rules.ts';
import { asRoot, expectEmpty, expectError, newAccount, uniqueName } from '../support/server.ts';

const root = asRoot();
let setup: RuleSetup;
/** RSEs of the expression at first, and later. */
let [before, after, both, attribute] = ['', '', '', ''];

beforeAll(async () => {
  setup = await newRuleSetup();
});

const mark = async (rse: string) =>
  expectStatus(await root.post(`/rses/${rse}/attr/${attribute}`, { value: 'yes' }), 201);
const unmark = async (rse: string) => expectStatus(await root.delete(`/rses/${rse}/attr/${attribute}`), 200);

beforeEach(async () => {
  [before, after, both] = [await newStorageRse(), await newStorageRse(), await newStorageRse()];
  attribute = uniqueName('u').replaceAll('-', '_');
  for (const account of ['root', setup.alice.account]) await allow(account, before, after, both);
});

const copy = async (rse: string, names: readonly string[]) => {
  const files = names.map((name) => ({ scope: setup.scope, name, state: 'A' }));
  expectEmpty(await root.put('/replicas', { rse, files }));
};
/** A rule of alice on a dataset of two files, by an expression whose RSE has changed since. */
const newMoved = async (more: object = {}) => {
  await mark(before);
  const dataset = await newDataset(setup.scope, before, 2);
  const id = await newRule(dataset, `${attribute}=yes`, more, setup.alice);
  expect(await stateOf(id)).toBe('OK 2/0/0');
  await mark(after);
  await unmark(before);
  const names = [0, 1].map((index) => `${dataset.name}.${index}`);
  return { id, dataset, names };
};
const rulesOn = async ({ scope, name }: { scope: string; name: string }) =>
  (await linesOf(`/dids/${scope}/${name}/rules`)).map((rule) => rule.id);
const childOf = async (id: string) => String((await ruleOf(id)).child_rule_id);
const where = async (id: string) => [...new Set(Object.keys(await locksOf(id)).map((lock) => lock.split(' ')[1]))];

describe('PUT /rules/{id} with evaluate', () => {
  it('places the rule where its expression points now, and lets nothing go before that is done', async () => {
    const { id, dataset, names } = await newMoved({ comment: 'mine', priority: 4, meta: 'text' });
    expectEmpty(await setup.alice.put(`/rules/${id}`, { options: { evaluate: true } }));
    const child = await childOf(id);
    expect([await stateOf(id), await where(id)]).toEqual(['OK 2/0/0', [before]]);
    expect([await stateOf(child), await where(child)]).toEqual(['REPLICATING 0/2/0', [after]]);
    await copy(after, names.slice(0, 1));
    expect(await rulesOn(dataset)).toHaveLength(2);
    await copy(after, names);
    await expectGone(id);
    expect(await rulesOn(dataset)).toEqual([child]);
    expect(await ruleOf(child)).toMatchObject({
      rse_expression: `${attribute}=yes`,
      account: setup.alice.account,
      comments: 'mine',
      priority: 4,
      meta: '"text"',
      expires_at: null,
      state: 'OK',
    });
  });

  it('keeps what fits still', async () => {
    await mark(both);
    const { id } = await newMoved({ copies: 1 });
    await mark(before);
    expectEmpty(await update(id, { evaluate: true }));
    await expectGone(id);
  });

  it('copies nothing that is there where the expression points', async () => {
    const { id, names, dataset } = await newMoved();
    await root.post('/replicas', {
      rse: after,
      files: names.map((name) => ({ scope: setup.scope, name, bytes: 10, adler32: '0cc737eb' })),
    });
    expectEmpty(await update(id, { evaluate: true }));
    await expectGone(id);
    const [child = ''] = await rulesOn(dataset);
    expect([await stateOf(child), await where(child)]).toEqual(['OK 2/0/0', [after]]);
  });

  it('leaves one rule of its identity: what it makes is a duplicate to others, and the old rule comes back', async () => {
    const { id, dataset } = await newMoved();
    expectEmpty(await update(id, { evaluate: true }));
    const child = await childOf(id);
    const again = () => postRule(setup.alice, dataset, `${attribute}=yes`);
    expectError(await again(), 409, 'DuplicateRule');
    expectError(await update(id, { evaluate: true }), 409, 'RuleReplaceFailed');
    expectError(await update(child, { evaluate: true }), 409, 'UnsupportedOperation');
    expectEmpty(await update(child, { lifetime: 0 }));
    await expectGone(child);
    expect(await ruleOf(id)).toMatchObject({ child_rule_id: null, expires_at: null, state: 'OK' });
    expectError(await again(), 409, 'DuplicateRule');
    expectEmpty(await update(id, { evaluate: true }));
    expect(await childOf(id)).not.toBe(child);
    expectEmpty(await update(await childOf(id), { lifetime: 0 }));
    await expect.poll(() => rulesOn(dataset)).toEqual([id]);
    expectEmpty(await update(id, { lifetime: 0 }));
    await expectGone(id);
    expectStatus(await again(), 201);
  });

  it('keeps a locked rule locked', async () => {
    const { id, names, dataset } = await newMoved();
    expectEmpty(await update(id, { locked: true }));
    expectError(await setup.alice.put(`/rules/${id}`, { options: { evaluate: true } }), 401, 'AccessDenied');
    expectEmpty(await update(id, { evaluate: true }));
    const child = await childOf(id);
    expect((await ruleOf(child))['locked']).toBe(true);
    await copy(after, names);
    await expectGone(id);
    expect(await rulesOn(dataset)).toEqual([child]);
  });

  it('refuses what it cannot do, and changes nothing', async () => {
    const { id } = await newMoved();
    const stranger = await newAccount();
    expectError(await stranger.put(`/rules/${id}`, { options: { evaluate: true } }), 401, 'AccessDenied');
    expectError(await update(id, { evaluate: true, comment: 'x' }), 409, 'InputValidationError');
    expectError(await update(id, { evaluate: 'perhaps' }), 400, 'TypeError');
    expectEmpty(await update(id, { evaluate: false, comment: 'x' }));
    await unmark(after);
    expectError(await update(id, { evaluate: true }), 409, 'InvalidRSEExpression');
    await mark(after);
    expectEmpty(await update(id, { state: 'SUSPENDED' }));
    expectError(await update(id, { evaluate: true }), 409, 'UnsupportedOperation');
    expect(await ruleOf(id)).toMatchObject({ comments: 'x', child_rule_id: null });
  });

  it('needs quota where it places', async () => {
    const { id } = await newMoved();
    expectStatus(await root.post(`/accounts/${setup.alice.account}/limits/local/${after}`, { bytes: 5 }), 201);
    expectError(await update(id, { evaluate: true }), 409, 'InsufficientAccountLimit');
    expect([await stateOf(id), (await ruleOf(id)).child_rule_id]).toEqual(['OK 2/0/0', null]);
  });
});

describe('POST /rules/{id}/move', () => {
  it('to the same expression places the rule anew', async () => {
    const { id, names, dataset } = await newMoved();
    const answer = await setup.alice.post(`/rules/${id}/move`, { rse_expression: `${attribute}=yes` });
    expectStatus(answer, 201);
    const child = String(answer.json());
    expect([await stateOf(child), await where(child)]).toEqual(['REPLICATING 0/2/0', [after]]);
    await copy(after, names);
    await expectGone(id);
    expect(await rulesOn(dataset)).toEqual([child]);
  });

  it('to the expression of another rule is a duplicate of that', async () => {
    const { id, dataset } = await newMoved();
    await newRule(dataset, after, {}, setup.alice);
    expectError(await root.post(`/rules/${id}/move`, { rse_expression: after }), 409, 'DuplicateRule');
    expect((await ruleOf(id)).child_rule_id).toBeNull();
  });
});

describe('DuplicateRule', () => {
  it('says which of several DIDs has such a rule', async () => {
    const { scope, one } = setup;
    const [first, second] = [await newDataset(scope, one, 1), await newDataset(scope, one, 1)];
    await newRule(second, one);
    const answer = await root.post('/rules/', {
      dids: [first, second],
      account: null,
      copies: 1,
      rse_expression: one,
    });
    const text = 'A duplicate rule for this account, did, rse_expression, copies already exists.';
    expectError(answer, 409, 'DuplicateRule', `${text} It is on ${scope}:${second.name}.`);
    expectError(await postRule(root, second, one), 409, 'DuplicateRule', text);
    expect(await rulesOn(first)).toEqual([]);
  });
});
