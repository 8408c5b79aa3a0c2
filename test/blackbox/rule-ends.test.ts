import { beforeAll, describe, expect, it } from 'vitest';

import { follow } from '../support/events.ts';
import { expectStatus, states } from '../support/replicas.ts';
import {
  expectGone,
  linesOf,
  newDataset,
  newFile,
  newRule,
  newRuleSetup,
  ruleOf,
  type RuleSetup,
  update,
  unknownRuleId,
} from '../support/rules.ts';
import { asRoot, expectEmpty, expectError, newAccount } from '../support/server.ts';

const root = asRoot();
let setup: RuleSetup;

beforeAll(async () => {
  setup = await newRuleSetup();
});

describe('DELETE /rules/{id} (replication 2.5)', () => {
  it('lets the rule expire within an hour, and does nothing the second time', async () => {
    const id = await newRule(await newFile(setup.scope, setup.one), setup.one);
    expectEmpty(await root.delete(`/rules/${id}`, { purge_replicas: null }));
    const first = await ruleOf(id);
    expect(Math.abs(Date.parse(String(first.expires_at)) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect(first).toMatchObject({ state: 'OK', locks_ok_cnt: 1, purge_replicas: false });
    expectEmpty(await root.delete(`/rules/${id}`, { purge_replicas: true }));
    expect(await ruleOf(id)).toMatchObject({ expires_at: first.expires_at, purge_replicas: true });
    expectEmpty(await root.delete(`/rules/${id}`, { purge_replicas: false }));
    expect(await ruleOf(id)).toMatchObject({ purge_replicas: false });
    expectEmpty(await root.delete(`/rules/${id}`));
  });

  it('does not extend the lifetime', async () => {
    const id = await newRule(await newFile(setup.scope, setup.one), setup.one, { lifetime: 600 });
    const { expires_at: end } = await ruleOf(id);
    expectEmpty(await root.delete(`/rules/${id}`, {}));
    expect((await ruleOf(id)).expires_at).toBe(end);
  });

  it('fails for a locked rule, an unknown one, and other accounts than the owner', async () => {
    const { scope, one, alice } = setup;
    const id = await newRule(await newFile(scope, one), one, {}, alice);
    const stranger = await newAccount();
    const denial = `Account ${stranger.account} can not remove this replication rule. `;
    expectError(await stranger.delete(`/rules/${id}`, {}), 401, 'AccessDenied', denial);
    expectEmpty(await update(id, { locked: true }));
    const locked = 'The replication rule is locked and has to be unlocked before it can be deleted.';
    expectError(await alice.delete(`/rules/${id}`, {}), 409, 'UnsupportedOperation', locked);
    expectEmpty(await update(id, { locked: false }));
    expectEmpty(await alice.delete(`/rules/${id}`, {}));
    const absent = `No rule with the id ${unknownRuleId} found`;
    expectError(await root.delete(`/rules/${unknownRuleId}`, {}), 404, 'RuleNotFound', absent);
    expectError(await root.delete('/rules/x1', {}), 400, 'RucioException', 'Badly formatted rule id (x1)');
    const wrong = "'purge_replicas' must be a boolean type.";
    expectError(await root.delete(`/rules/${id}`, { purge_replicas: 'so' }), 400, 'TypeError', wrong);
  });
});

describe('the end of a rule (replication 3.7)', () => {
  it('removes its locks, on files and datasets, and the usage of its account', async () => {
    const { scope, one, alice } = setup;
    const dataset = await newDataset(scope, one, 3);
    const usage = async () => (await linesOf(`/accounts/${alice.account}/usage/local/${one}`))[0]?.['files'];
    const before = await usage();
    const id = await newRule(dataset, one, { lifetime: 0 }, alice);
    await expectGone(id);
    expect(await usage()).toBe(before);
    expect(await linesOf(`/locks/${scope}/${dataset.name}?did_type=dataset`)).toEqual([]);
    expect(await linesOf(`/dids/${scope}/${dataset.name}.0/associated_rules`)).toEqual([]);
    expect(await linesOf(`/dids/${scope}/${dataset.name}/rules`)).toEqual([]);
    expect(await states(scope, `${dataset.name}.0`)).toEqual({ [one]: 'AVAILABLE' });
    expect(await newRule(dataset, one, {}, alice)).not.toBe(id);
  });

  it('is delayed while the rule is locked', async () => {
    const { scope, one } = setup;
    const id = await newRule(await newFile(scope, one), one, { lifetime: 0, locked: true });
    const other = await newRule(await newFile(scope, one), one, { lifetime: 0 });
    await expectGone(other);
    expect(await ruleOf(id)).toMatchObject({ locked: true, locks_ok_cnt: 1 });
    expectEmpty(await update(id, { locked: false }));
    await expectGone(id);
  });
});

describe('approval (replication 2.7)', () => {
  const ask = (file: object) => newRule(file, setup.one, { ask_approval: true }, setup.alice);

  it('makes a rule that is placed then, regardless of account limits', async () => {
    const id = await ask(await newFile(setup.scope, setup.one));
    expect(await ruleOf(id)).toMatchObject({ state: 'WAITING_APPROVAL', locks_ok_cnt: 0 });
    expectEmpty(await update(id, { state: 'STUCK' }));
    expect(await ruleOf(id)).toMatchObject({ state: 'WAITING_APPROVAL' });
    expectEmpty(await update(id, { approve: true, comment: 'fine', nonsense: 1 }));
    await expect.poll(() => ruleOf(id)).toMatchObject({ state: 'OK', locks_ok_cnt: 1 });
    expect(await ruleOf(id)).toMatchObject({ ignore_account_limit: true, comments: null });
  });

  it('if denied, the rule is removed at once', async () => {
    const file = await newFile(setup.scope, setup.one);
    const id = await ask(file);
    expectEmpty(await update(id, { approve: false, comment: 'no' }));
    expectError(await root.get(`/rules/${id}`), 404, 'RuleNotFound');
    expect(await linesOf(`/rules/${file.scope}/${file.name}/history`)).toMatchObject([
      { rule_id: id, state: 'WAITING_APPROVAL' },
      { rule_id: id },
    ]);
  });

  it('tells the reason of a denial in an event before the rule ends', async () => {
    const file = await newFile(setup.scope, setup.one);
    const id = await ask(file);
    const reader = await follow(root, `subject=${file.scope}:${file.name}&type=UPDATE_RULE`);
    expectEmpty(await update(id, { approve: false, comment: 'too large' }));
    const [told] = await reader.next(1);
    await reader.leave();
    expect(told?.event.data).toMatchObject({ rule_id: id, comments: 'too large', state: 'WAITING_APPROVAL' });
    expectError(await root.get(`/rules/${id}`), 404, 'RuleNotFound');
  });

  it('does nothing to other rules, and is not for their owners', async () => {
    const { scope, one, alice } = setup;
    const id = await newRule(await newFile(scope, one), one, {}, alice);
    expectEmpty(await update(id, { approve: false }));
    expect(await ruleOf(id)).toMatchObject({ state: 'OK' });
    const denial = `Account ${alice.account} can not approve/deny this replication rule. `;
    expectError(await alice.put(`/rules/${id}`, { options: { approve: true } }), 401, 'AccessDenied', denial);
    expectError(await update(unknownRuleId, { approve: true }), 404, 'RuleNotFound');
  });
});

describe('POST /rules/{id}/reduce (replication 2.6)', () => {
  it('makes a rule with fewer copies, and removes the old one at once', async () => {
    const { scope, one, two } = setup;
    const file = await newFile(scope, one);
    expectStatus(await root.post('/replicas', { rse: two, files: [{ ...file, bytes: 10, adler32: '0cc737eb' }] }), 201);
    const old = await newRule(file, `${one}|${two}`, { copies: 2, comment: 'old', lifetime: 86_400 });
    const answer = await root.post(`/rules/${old}/reduce`, { copies: 1, exclude_expression: two });
    expect(answer.status).toBe(200);
    const id = String(answer.json());
    expect(await ruleOf(id)).toMatchObject({
      state: 'OK',
      copies: 1,
      rse_expression: `(${one}|${two})\\(${two})`,
      comments: null,
      expires_at: expect.any(String),
    });
    expectError(await root.get(`/rules/${old}`), 404, 'RuleNotFound');
    expect(await linesOf(`/rules/${id}/locks`)).toMatchObject([{ rse: one }]);
  });

  it('fails for more copies, a rule that is not OK, and a new one that would not be', async () => {
    const { scope, one, two } = setup;
    const file = await newFile(scope, one);
    const busy = await newRule(file, `${one}|${two}`, { copies: 2 });
    const reduce = (id: string, body: object) => root.post(`/rules/${id}/reduce`, body);
    const smaller = 'Copies of the new rule must be smaller than the old rule.';
    expectError(await reduce(busy, { copies: 2 }), 409, 'RuleReplaceFailed', smaller);
    const ok = 'The source rule must be in state OK.';
    expectError(await reduce(busy, { copies: 1 }), 409, 'RuleReplaceFailed', ok);
    const locked = await newRule(await newFile(scope, one), one, { locked: true });
    expectError(await reduce(locked, { copies: 0 }), 409, 'UnsupportedOperation');
    expectError(await reduce(busy, {}), 400, 'KeyError', "'copies' not defined");
    expectError(await reduce(unknownRuleId, { copies: 1 }), 404, 'RuleNotFound');
    const stranger = await newAccount();
    const denial = `Account ${stranger.account} can not reduce this replication rule. `;
    expectError(await stranger.post(`/rules/${busy}/reduce`, { copies: 1 }), 401, 'AccessDenied', denial);
  });
});

describe('POST /rules/{id}/move (replication 2.8)', () => {
  const move = (id: string, body: object) => root.post(`/rules/${id}/move`, body);

  it('makes a rule that the old one waits for', async () => {
    const { scope, one, two } = setup;
    const file = await newFile(scope, one);
    const parent = await newRule(file, one, { comment: 'why', lifetime: 86_400 });
    const answer = await move(parent, { rule_id: parent, rse_expression: two, override: { activity: 'Express' } });
    expectStatus(answer, 201);
    const child = String(answer.json());
    expect(await ruleOf(child)).toMatchObject({ rse_expression: two, comments: 'why', activity: 'Express' });
    expect(await ruleOf(parent)).toMatchObject({ child_rule_id: child, expires_at: expect.any(String) });
    const twice = 'The rule must not have a child rule.';
    expectError(await move(parent, { rse_expression: two }), 409, 'RuleReplaceFailed', twice);
    expectEmpty(await root.put('/replicas', { rse: two, files: [{ ...file, state: 'A' }] }));
    await expectGone(parent);
    expect(await ruleOf(child)).toMatchObject({ state: 'OK' });
  });

  it('removes the old one at once if the copies exist already', async () => {
    const { scope, one, two } = setup;
    const file = await newFile(scope, one);
    expectStatus(await root.post('/replicas', { rse: two, files: [{ ...file, bytes: 10, adler32: '0cc737eb' }] }), 201);
    const parent = await newRule(file, one);
    const child = String((await move(parent, { rse_expression: two })).json());
    expect(await ruleOf(child)).toMatchObject({ state: 'OK', expires_at: null });
    await expectGone(parent);
  });

  it('keeps the old one if the new one is removed first', async () => {
    const { scope, one, two } = setup;
    const parent = await newRule(await newFile(scope, one), one);
    const child = String((await move(parent, { rse_expression: two })).json());
    expectEmpty(await update(child, { lifetime: 0 }));
    await expectGone(child);
    expect(await ruleOf(parent)).toMatchObject({ child_rule_id: null, expires_at: null, state: 'OK' });
  });

  it('refuses options that cannot be overridden, and those that a new rule cannot have', async () => {
    const { scope, one, two, alice } = setup;
    const id = await newRule(await newFile(scope, one), one);
    const override = (more: object) => move(id, { rse_expression: two, override: more });
    const unknown = 'Non-valid override option colour';
    expectError(await override({ colour: 1 }), 409, 'UnsupportedOperation', unknown);
    expectError(await override({ dids: [] }), 409, 'UnsupportedOperation', 'Not allowed to override option dids');
    expectError(await override({ copies: 2 }), 409, 'InsufficientTargetRSEs');
    expectError(await move(id, { rse_expression: 'NOWHERE' }), 409, 'InvalidRSEExpression');
    expectError(await move(id, {}), 400, 'KeyError', "'rse_expression' not defined");
    expectError(await move(unknownRuleId, { rse_expression: two }), 404, 'RuleNotFound');
    const denial = `Account ${alice.account} can not move this replication rule. `;
    expectError(await alice.post(`/rules/${id}/move`, { rse_expression: two }), 401, 'AccessDenied', denial);
    expect(await ruleOf(id)).toMatchObject({ child_rule_id: null, expires_at: null });
  });

  it('takes any activity of at most 50 characters, which a new rule may not name', async () => {
    const { scope, one, two } = setup;
    for (const body of [{ override: { activity: 'Night Shift' } }, { activity: 'Night Shift' }]) {
      const id = await newRule(await newFile(scope, one), one);
      const answer = await move(id, { rse_expression: two, ...body });
      expectStatus(answer, 201);
      expect(await ruleOf(String(answer.json()))).toMatchObject({ activity: 'Night Shift' });
    }
    const id = await newRule(await newFile(scope, one), one);
    const long = { activity: 'a'.repeat(51) };
    expectError(await move(id, { rse_expression: two, override: long }), 409, 'InvalidObject');
    expect(await ruleOf(id)).toMatchObject({ child_rule_id: null });
  });

  it('is for the owner, too', async () => {
    const { scope, one, two, alice } = setup;
    const id = await newRule(await newFile(scope, one), one, {}, alice);
    expectStatus(await alice.post(`/rules/${id}/move`, { rse_expression: two }), 201);
  });
});
