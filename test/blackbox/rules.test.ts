import { beforeAll, describe, expect, it } from 'vitest';

import { collect, expectStatus } from '../support/replicas.ts';
import {
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
import { asRoot, expectError, uniqueName } from '../support/server.ts';
import { walk } from '../support/walk.ts';

const root = asRoot();
let setup: RuleSetup;

beforeAll(async () => {
  setup = await newRuleSetup();
});

describe('POST /rules/ (replication 2.3)', () => {
  it('answers the ids of the rules as JSON, in the order of the DIDs, and none for none', async () => {
    const [one, two] = [await newFile(setup.scope, setup.one), await newFile(setup.scope, setup.one)];
    const answer = await root.post('/rules', {
      dids: [two, one],
      account: 'root',
      copies: 1,
      rse_expression: setup.one,
    });
    expectStatus(answer, 201);
    expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    const names = await Promise.all((answer.json() as string[]).map(async (id) => (await ruleOf(id))['name']));
    expect(names).toEqual([two.name, one.name]);
    const none = await root.post('/rules/', { dids: [], account: null, copies: 1, rse_expression: setup.one });
    expect(`${none.status} ${none.text}`).toBe('201 []');
  });

  it.each(['dids', 'account', 'copies', 'rse_expression'])('needs %s', async (key) => {
    const body = { dids: [], account: null, copies: 1, rse_expression: 'X' };
    expectError(await root.post('/rules/', { ...body, [key]: undefined }), 400, 'KeyError', `'${key}' not defined`);
  });

  it.each(['locked', 'purge_replicas', 'ignore_availability', 'ask_approval', 'asynchronous', 'split_container'])(
    'takes only booleans as %s',
    async (key) => {
      const body = { dids: [], account: null, copies: 1, rse_expression: 'X', [key]: 'maybe' };
      expectError(await root.post('/rules/', body), 400, 'TypeError', `'${key}' must be a boolean type.`);
    },
  );

  it.each([
    { dids: 'x' },
    { dids: [{ scope: 'a b', name: 'x' }] },
    { copies: 'two' },
    { rse_expression: 5 },
    { grouping: 'SOME' },
    { activity: 'Idling' },
    { notify: 'YES' },
    { comment: 'x'.repeat(251) },
    { meta: { a: 1 } },
    { priority: null },
    { subscription_id: 'x#y' },
    { lifetime: 'long' },
  ])('refuses %j with 409', async (wrong) => {
    const body = { dids: [], account: null, copies: 1, rse_expression: 'X', ...wrong };
    expectError(await root.post('/rules/', body), 409, 'InvalidObject', /^Problem validating (rule|dids): /);
  });

  it('lets others make rules for themselves alone, and no locked ones', async () => {
    const { alice, scope, one } = setup;
    const file = await newFile(scope, one);
    const denial = `Account ${alice.account} can not add replication rule. `;
    expectError(await postRule(alice, file, one, { account: 'root' }), 401, 'AccessDenied', denial);
    expectError(await postRule(alice, file, one, { locked: true }), 401, 'AccessDenied', denial);
    expect((await ruleOf(await newRule(file, one, {}, alice))).account).toBe(alice.account);
  });
});

describe('GET /rules/{id} (replication 2.2)', () => {
  it('shows the rule, also by an id with dashes, with the bytes of its DID', async () => {
    const file = await newFile(setup.scope, setup.one);
    const id = await newRule(file, setup.one, { comment: 'why', meta: '{"a":1}', purge_replicas: true });
    const dashed = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const rule = await ruleOf(dashed);
    expect(rule).toMatchObject({ ...file, id, comments: 'why', bytes: 10, state: 'OK', locks_ok_cnt: 1 });
    expect(rule).toMatchObject({ purge_replicas: true, activity: 'User Subscriptions', did_type: 'FILE' });
    expect(rule['meta']).toBe(String.raw`"{\"a\":1}"`);
    expect(Object.keys(rule)).toHaveLength(34);
  });

  it.each(['', '/analysis'])('fails for an unknown rule and for an invalid id: %s', async (tail) => {
    const unknown = `No rule with the id ${unknownRuleId} found`;
    expectError(await root.get(`/rules/${unknownRuleId}${tail}`), 404, 'RuleNotFound', unknown);
    expectError(await root.get(`/rules/x1${tail}`), 400, 'RucioException', 'Badly formatted rule id (x1)');
  });
});

describe('GET /rules/ (replication 2.1)', () => {
  let rules: RuleLine[];
  const list = async (query: string) => (await linesOf(`/rules?${query}`)).map(({ id }) => id).toSorted();
  const ids = (...indexes: number[]) => indexes.map((index) => rules[index]?.id ?? '').toSorted();

  beforeAll(async () => {
    const { scope, one, two, alice } = setup;
    const dataset = await newDataset(scope, one, 2);
    const [first, second] = [await newFile(scope, one), await newFile(scope, two)];
    const made = [
      await newRule(dataset, one, { comment: 'all', lifetime: 86_400 }, alice),
      await newRule(dataset, two, { grouping: 'NONE', priority: 5, activity: 'Staging', locked: true }),
      await newRule(first, one, { meta: 'x', weight: null }, alice),
      await newRule(second, two, { notify: 'C' }, alice),
    ];
    rules = await Promise.all(made.map(ruleOf));
  });

  it('finds the rules of a DID, of an account, of a scope', async () => {
    const { scope, alice } = setup;
    expect(await list(`scope=${scope}&name=${String(rules[0]?.['name'])}`)).toEqual(ids(0, 1));
    expect(await list(`account=${alice.account}&scope=${scope}&created_after=${date(-60)}`)).toEqual(
      expect.arrayContaining(ids(0, 2, 3)),
    );
    expect(await list(`scope=${scope}&state=R`)).toEqual(ids(1));
    expect(await list(`scope=${scope}&account=${alice.account}&name=nothing`)).toEqual([]);
    expect(await list('account=unknown-one')).toEqual([]);
    expect(await list('scope=no/scope&name=x')).toEqual([]);
  });

  it('takes * for any text in scope and account', async () => {
    const { scope, alice } = setup;
    const [half, most] = [scope.slice(0, -3), alice.account.slice(0, -3)];
    expect(await list(`scope=${half}*&account=${most}*&copies=1&did_type=D`)).toEqual(ids(0));
    expect(await list(`scope=*${scope}&state=REPLICATING`)).toEqual(ids(1));
  });

  it.each([
    ['did_type=F&notification=CLOSE', [3]],
    ['grouping=N', [1]],
    ['did_type=DATASET&locked=true', [1]],
    ['priority=5', [1]],
    ['activity=Staging', [1]],
    ['comments=all', [0]],
    ['meta="x"', [2]],
    ['state=O&did_type=D', [0]],
    ['locks_ok_cnt=2', [0]],
    ['locks_replicating_cnt=2', [1]],
  ])('filters by %s', async (query, found) => {
    expect(await list(`scope=${setup.scope}&${query}`)).toEqual(ids(...found));
  });

  it('filters by ids and dates', async () => {
    const { scope } = setup;
    const [rule] = rules;
    expect(await list(`id=${rule?.id}`)).toEqual(ids(0));
    expect(await list(`id=${unknownRuleId}`)).toEqual([]);
    expect(await list(`scope=${scope}&expires_at=${encodeURIComponent(String(rule?.expires_at))}`)).toEqual(ids(0));
    expect(await list(`scope=${scope}&created_after=${date(60)}`)).toEqual([]);
    expect(await list(`scope=${scope}&updated_before=${date(-60)}`)).toEqual([]);
    expect(await list(`scope=${scope}&state=R&created_before=${date(60)}`)).toEqual(ids(1));
    expectStatus(await update(String(rules[3]?.id), { state: 'SUSPENDED' }), 200);
    expect(await list(`scope=${scope}&state=U`)).toEqual(ids(3));
    expect(await list(`scope=${scope}&state=S`)).toEqual([]);
    expect(await list(`subscription_id=${unknownRuleId}`)).toEqual([]);
    expect(await list(`scope=${scope}&child_rule_id=${unknownRuleId}`)).toEqual([]);
  });

  it.each([
    'colour=red',
    'bytes=1',
    'state=Q',
    'did_type=x',
    'created_before=soon',
    'copies=two',
    'locked=maybe',
    'id=5',
  ])('refuses %s with 400', async (query) => {
    expectError(await root.get(`/rules?${query}`), 400, 'InvalidObject', /^Problem validating query: /);
  });

  it('comes in pages with any filter', async () => {
    const { scope, alice } = setup;
    for (const query of [
      `scope=${scope}&name=${String(rules[0]?.['name'])}`,
      `scope=${scope}&did_type=D`,
      `account=${alice.account}`,
      `account=${alice.account.slice(0, -2)}*`,
    ]) {
      const whole = (await linesOf(`/rules?${query}`)).map(({ id }) => id);
      const pages = await walk(root, `/rules?${query}`, 1);
      expect(whole.length).toBeGreaterThan(1);
      expect(pages.flat().map((row) => (row as RuleLine).id)).toEqual(whole);
    }
  });

  it('shows the rules of an account below the account, and none of an unknown one', async () => {
    const { alice } = setup;
    const listed = await linesOf(`/accounts/${alice.account}/rules`);
    expect(listed).toEqual(await linesOf(`/rules?account=${alice.account}`));
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(ids(0, 2, 3)));
    expect(await linesOf('/accounts/nobody-knows/rules')).toEqual([]);
    expect(await linesOf('/accounts/*/rules')).toEqual([]);
  });
});

describe('the locks and the history of rules (replication 2.10)', () => {
  it('lists the locks by file and RSE, each file once, in pages too', async () => {
    const { scope, one, two } = setup;
    const [a, b] = [await newDataset(scope, one, 2), await newDataset(scope, one, 1)];
    const shared = [{ scope, name: `${a.name}.0` }];
    expectStatus(await root.post(`/dids/${scope}/${b.name}/dids`, { dids: shared }), 201);
    const container = uniqueName('cont');
    await collect('CONTAINER', scope, container, [a.name, b.name]);
    const id = await newRule({ scope, name: container }, `${one}|${two}`, { copies: 2 });
    const names = [`${a.name}.0`, `${a.name}.1`, `${b.name}.0`].toSorted();
    const expected = names.flatMap((name) => [one, two].toSorted().map((rse) => ({ name, rse })));
    const locks = (await linesOf(`/rules/${id}/locks`)) as unknown as { rse: string; rse_id: string }[];
    expect(locks).toMatchObject(expected);
    expect(locks.filter(({ rse }) => rse === one)).toMatchObject(
      names.map(() => ({ state: 'OK', scope, rule_id: id })),
    );
    expect(locks.filter(({ rse }) => rse === two)).toMatchObject(names.map(() => ({ state: 'REPLICATING' })));
    expect((await walk(root, `/rules/${id}/locks`, 1)).flat()).toEqual(locks);
  });

  it('is empty for the locks and the history of an unknown rule', async () => {
    expect(await linesOf(`/rules/${unknownRuleId}/locks`)).toEqual([]);
    expect(await linesOf(`/rules/${unknownRuleId}/history`)).toEqual([]);
    expectError(await root.get('/rules/x1/locks'), 400, 'RucioException', 'Badly formatted rule id (x1)');
    expectError(await root.get('/rules/x1/history'), 400, 'RucioException', 'Badly formatted rule id (x1)');
  });

  it('lists the history of all rules of a DID, deleted ones included', async () => {
    const { scope, one, two } = setup;
    const file = await newFile(scope, one);
    const [first, second] = [await newRule(file, one), await newRule(file, two)];
    const history = `/rules/${scope}/${file.name}/history`;
    const beginnings = [
      { rule_id: first, rse_expression: one, account: 'root', state: 'OK', locks_ok_cnt: 1 },
      { rule_id: second, rse_expression: two, state: 'REPLICATING', locks_replicating_cnt: 1 },
    ];
    expect(await linesOf(history)).toMatchObject(beginnings);
    expect(await linesOf(`/rules/${first}/history`)).toMatchObject([{ state: 'OK', locks_ok_cnt: 1 }]);
    expectStatus(await update(first, { lifetime: 0 }), 200);
    const ends = [beginnings[0], { rule_id: first, rse_expression: one }, beginnings[1]];
    await expect.poll(() => linesOf(history), { timeout: 30_000 }).toMatchObject(ends);
    expect((await walk(root, history, 1)).flat()).toEqual(await linesOf(history));
    const unruled = (await newFile(scope, one)).name;
    expect(await linesOf(`/rules/${scope}/${unruled}/history`)).toEqual([]);
    expectError(await root.get(`/rules/${scope}/nothing/history`), 404, 'DataIdentifierNotFound');
  });
});

/** A date so many seconds from now, as a parameter. */
function date(seconds: number): string {
  return encodeURIComponent(new Date(Date.now() + seconds * 1_000).toUTCString().replace('GMT', 'UTC'));
}
