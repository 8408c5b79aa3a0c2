import { beforeAll, describe, expect, it } from 'vitest';

import { newStorageRse, states } from '../support/replicas.ts';
import { putReplicaStates } from '../support/replication.ts';
import {
  allow,
  linesOf,
  newDataset,
  newFile,
  newRule,
  newRuleSetup,
  postRule,
  type RuleLine,
  ruleOf,
  type RuleSetup,
  update,
  unknownRuleId,
} from '../support/rules.ts';
import { asRoot, type Client, expectEmpty, expectError, newAccount } from '../support/server.ts';

const root = asRoot();
let setup: RuleSetup;
/** A rule of alice that waits for a copy. */
let waiting: string;
let carol: Client;

beforeAll(async () => {
  setup = await newRuleSetup();
  carol = await newAccount();
  await allow(carol.account, setup.one, setup.two);
  waiting = await newRule(await newFile(setup.scope, setup.one), setup.two, {}, setup.alice);
});

describe('PUT /rules/{id} (replication 2.4)', () => {
  it.each([
    [{ comment: 'because' }, { comments: 'because' }],
    [{ comment: null }, { comments: null }],
    [{ activity: 'Express' }, { activity: 'Express' }],
    [{ source_replica_expression: 'FAR' }, { source_replica_expression: 'FAR' }],
    [{ source_replica_expression: null }, { source_replica_expression: null }],
    [{ priority: 5 }, { priority: 5 }],
    [{ locked: true }, { locked: true }],
    [{ locked: false }, { locked: false }],
    [{ purge_replicas: 'true' }, { purge_replicas: true }],
    [{ meta: { a: 1 } }, { meta: '{"a":1}' }],
    [{ meta: 'text' }, { meta: '"text"' }],
    [{ eol_at: 'Sat, 21 Nov 2026 12:38:21 UTC' }, { eol_at: 'Sat, 21 Nov 2026 12:38:21 UTC' }],
    [{ lifetime: null }, { expires_at: null }],
    [{ state: 'rejoicing' }, { state: 'REPLICATING' }],
    [{ boost_rule: true }, { state: 'REPLICATING' }],
    [{}, { state: 'REPLICATING' }],
  ])('with %j shows %j', async (options, shown) => {
    expectEmpty(await update(waiting, options));
    expect(await ruleOf(waiting)).toMatchObject(shown);
  });

  it('sets the end of the rule so many seconds from now', async () => {
    expectEmpty(await update(waiting, { lifetime: 3600 }));
    const left = Date.parse(String((await ruleOf(waiting)).expires_at)) - Date.now();
    expect(Math.abs(left - 3_600_000)).toBeLessThan(60_000);
    expectEmpty(await update(waiting, { lifetime: null }));
  });

  it.each([
    [{ lifetime: 'long' }, 'InvalidObject'],
    [{ locked: 'perhaps' }, 'TypeError'],
    [{ activity: 'Idling' }, 'InvalidObject'],
    [{ priority: 1.5 }, 'InvalidObject'],
    [{ eol_at: 'never' }, 'InvalidObject'],
    [{ child_rule_id: 'x1' }, 'InvalidObject'],
  ] as const)('refuses %j with 400', async (options, exception) => {
    expectError(await update(waiting, options), 400, exception);
  });

  it('fails without options, with unknown ones, without the rule and without the account', async () => {
    expectError(await root.put(`/rules/${waiting}`, {}), 400, 'KeyError', "'options' not defined");
    const unknown = 'colour is not a valid option to set.';
    expectError(await update(waiting, { comment: 'x', colour: 'red' }), 409, 'InputValidationError', unknown);
    expect((await ruleOf(waiting))['comments']).toBeNull();
    const absent = `No rule with the id ${unknownRuleId} found`;
    expectError(await update(unknownRuleId, { comment: 'x' }), 404, 'RuleNotFound', absent);
    expectError(await update('x1', {}), 400, 'RucioException', 'Badly formatted rule id (x1)');
    const stranger = "Account with ID 'no-such-one' cannot be found";
    expectError(await update(waiting, { account: 'no-such-one' }), 404, 'AccountNotFound', stranger);
  });

  it('is for root, admins and the owner, who cannot give the rule away nor lock it', async () => {
    const { alice } = setup;
    const put = (as: Client, options: object) => as.put(`/rules/${waiting}`, { options });
    expectEmpty(await put(alice, { comment: 'mine' }));
    const denial = ({ account }: Client) => `Account ${account} can not update this replication rule. `;
    expectError(await put(carol, { comment: 'hers' }), 401, 'AccessDenied', denial(carol));
    expectError(await put(alice, { account: carol.account }), 401, 'AccessDenied', denial(alice));
    expectError(await put(alice, { locked: true }), 401, 'AccessDenied', denial(alice));
    expectError(await carol.put(`/rules/${unknownRuleId}`, { options: {} }), 401, 'AccessDenied', denial(carol));
    expect((await ruleOf(waiting))['comments']).toBe('mine');
  });
});

describe('a rule on a staging area (replication 2.3, 2.4)', () => {
  it('keeps an end, however its end is to be taken away', async () => {
    const { scope, one } = setup;
    const staging = await newStorageRse({ staging_area: true });
    await allow('root', staging);
    const file = await newFile(scope, one);
    const refusal = [
      409,
      'StagingAreaRuleRequiresLifetime',
      'Rules for a staging area must include a lifetime',
    ] as const;
    expectError(await postRule(root, file, staging), ...refusal);
    const id = await newRule(file, staging, { lifetime: 3_600 });
    expectError(await update(id, { lifetime: null }), ...refusal);
    expectError(await update(id, { lifetime: null, comment: 'x' }), ...refusal);
    const other = await newRule(file, one);
    await putReplicaStates(one, [file], 'U');
    expectEmpty(await update(id, { child_rule_id: other }));
    expectError(await update(id, { child_rule_id: null }), ...refusal);
    expectEmpty(await update(id, { child_rule_id: null, lifetime: 60 }));
    expectEmpty(await update(id, { lifetime: 7_200 }));
    expect(await ruleOf(id)).toMatchObject({ comments: null, expires_at: expect.any(String) });
  });
});

describe('another account for a rule (replication 2.4)', () => {
  const used = async ({ account }: Client, rse: string) =>
    (await linesOf(`/accounts/${account}/usage/local/${rse}`)).map((line) => [line['bytes'], line['files']])[0];

  it('takes over what the rule uses, its locks and its place in the list', async () => {
    const { scope, one, alice } = setup;
    const dataset = await newDataset(scope, one, 2);
    const id = await newRule(dataset, one, {}, alice);
    const before = await used(alice, one);
    expect(before).toEqual([20, 2]);
    expectEmpty(await update(id, { account: carol.account }));
    await expect.poll(() => used(carol, one)).toEqual([20, 2]);
    expect(await used(alice, one)).toEqual([0, 0]);
    expect((await linesOf(`/accounts/${carol.account}/rules`)).map((rule) => rule.id)).toContain(id);
    expect((await linesOf(`/accounts/${alice.account}/rules`)).map((rule) => rule.id)).not.toContain(id);
    const [lock] = await linesOf(`/locks/${scope}/${dataset.name}?did_type=dataset`);
    expect(lock?.account).toBe(carol.account);
  });

  it('must not have such a rule already', async () => {
    const { scope, one, alice } = setup;
    const file = await newFile(scope, one);
    const id = await newRule(file, one, {}, alice);
    await newRule(file, one, {}, carol);
    expectError(await update(id, { account: carol.account }), 409, 'DuplicateRule');
  });
});

describe('the state of a rule (replication 2.4)', () => {
  it('becomes STUCK, with the locks that wait, and OK when the copies are there', async () => {
    const { scope, one, two } = setup;
    const dataset = await newDataset(scope, one, 2);
    const id = await newRule(dataset, two);
    expectEmpty(await update(id, { state: 'stuck' }));
    expect(await ruleOf(id)).toMatchObject({ state: 'STUCK', stuck_at: expect.any(String) });
    const counts = async () => {
      const { state, locks_stuck_cnt, locks_replicating_cnt } = await ruleOf(id);
      return [state, locks_stuck_cnt, locks_replicating_cnt];
    };
    await expect.poll(counts).toEqual(['STUCK', 2, 0]);
    const [lock] = await linesOf(`/locks/${scope}/${dataset.name}?did_type=dataset`);
    expect(lock?.state).toBe('STUCK');
    expect(await states(scope, `${dataset.name}.0`)).toMatchObject({ [two]: 'COPYING' });
    const analysis = (await root.get(`/rules/${id}/analysis`)).json() as { transfers: object[] };
    expect(analysis).toMatchObject({ rule_error: null });
    expect(analysis.transfers).toHaveLength(2);
    expect(analysis.transfers[0]).toMatchObject({ name: `${dataset.name}.0`, rse: two, sources: [[one, true]] });
    const files = [0, 1].map((index) => ({ scope, name: `${dataset.name}.${index}`, state: 'A' }));
    expectEmpty(await root.put('/replicas', { rse: two, files }));
    expect(await counts()).toEqual(['OK', 0, 0]);
  });

  it('becomes SUSPENDED, and keeps its locks', async () => {
    const { scope, one, two } = setup;
    const id = await newRule(await newFile(scope, one), two);
    expectEmpty(await update(id, { state: 'SUSPENDED' }));
    expect(await ruleOf(id)).toMatchObject({ state: 'SUSPENDED', locks_replicating_cnt: 1 });
    const analysis = (await root.get(`/rules/${id}/analysis`)).json();
    expect(analysis).toEqual({ rule_error: 'This replication rule is SUSPENDED', transfers: [] });
  });

  it('cancels the copies, for all rules that wait for them', async () => {
    const { scope, one, two, alice } = setup;
    const file = await newFile(scope, one);
    const [id, other] = [await newRule(file, two), await newRule(file, two, {}, alice)];
    expectEmpty(await update(id, { state: 'SUSPENDED', cancel_requests: true }));
    await expect.poll(() => ruleOf(other)).toMatchObject({ state: 'STUCK', locks_stuck_cnt: 1 });
    expect(await ruleOf(id)).toMatchObject({ state: 'SUSPENDED', locks_stuck_cnt: 1 });
    expect(await states(scope, file.name)).toMatchObject({ [two]: 'UNAVAILABLE' });
  });

  it('is explained', async () => {
    const { scope, one } = setup;
    const ok = await newRule(await newFile(scope, one), one);
    const explain = async (id: string) => (await root.get(`/rules/${id}/analysis`)).json();
    expect(await explain(ok)).toEqual({ rule_error: 'This replication rule is OK', transfers: [] });
    const busy = { rule_error: 'This replication rule is currently REPLICATING', transfers: [] };
    expect(await explain(waiting)).toEqual(busy);
  });
});

describe('the child of a rule (replication 2.4, 2.8)', () => {
  let parent: RuleLine;
  let child: string;

  beforeAll(async () => {
    const file = await newFile(setup.scope, setup.one);
    parent = await ruleOf(await newRule(file, setup.one));
    child = await newRule(file, setup.two);
  });

  it('must be another rule of the same DID', async () => {
    const { scope, one } = setup;
    const elsewhere = await newRule(await newFile(scope, one), one);
    const different = 'Parent and child rule must be set on the same dataset.';
    expectError(await update(parent.id, { child_rule_id: elsewhere }), 409, 'InputValidationError', different);
    const itself = 'Self-referencing parent/child-relationship.';
    expectError(await update(parent.id, { child_rule_id: parent.id }), 409, 'InputValidationError', itself);
    expectError(await update(parent.id, { child_rule_id: unknownRuleId }), 404, 'RuleNotFound');
    const none = 'Cannot detach child when no such relationship exists';
    expectError(await update(parent.id, { child_rule_id: null }), 409, 'InputValidationError', none);
  });

  it('cannot be one that is OK; otherwise it keeps the rule, which stays without it', async () => {
    expectEmpty(await update(child, { child_rule_id: parent.id }));
    expect((await ruleOf(child)).child_rule_id).toBeNull();
    expectEmpty(await update(parent.id, { child_rule_id: child, lifetime: 0 }));
    expect(await ruleOf(parent.id)).toMatchObject({ child_rule_id: child, expires_at: expect.any(String) });
    const denial = 'The replication rule has a child rule and thus cannot be deleted.';
    expectError(await root.delete(`/rules/${parent.id}`, {}), 409, 'UnsupportedOperation', denial);
    expectEmpty(await update(parent.id, { child_rule_id: null }));
    expect(await ruleOf(parent.id)).toMatchObject({ child_rule_id: null, expires_at: null });
  });
});
