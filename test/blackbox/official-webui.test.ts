/**
 * Requests of the official WebUI (rucio/webui 40.1) and the answers that it reads, page by page (docs/how-to/official-webui.md): it cannot be
 * built in these tests.
 */
import { beforeAll, describe, expect, it } from 'vitest';

import {
  daysAgo,
  getDocument,
  getReplicas,
  getStream,
  logInToWebUi,
  type Row,
  send,
} from '../support/official-webui.ts';
import { newReplicaSetup, register, type ReplicaSetup } from '../support/replicas.ts';
import { allow, newDataset, newRule, unknownRuleId } from '../support/rules.ts';
import { asRoot, expectCreated, expectEmpty, expectError, newAccount, uniqueName } from '../support/server.ts';
import { newSubscription } from '../support/subscriptions.ts';

const root = asRoot();
const ruleStates = ['OK', 'REPLICATING', 'STUCK', 'SUSPENDED', 'WAITING_APPROVAL', 'INJECT'];

let setup: ReplicaSetup;
let dataset: { scope: string; name: string };
let at: string;
beforeAll(async () => {
  setup = await newReplicaSetup(`/${uniqueName('webui')}`);
  await allow('root', setup.one, setup.two);
  dataset = await newDataset(setup.scope, setup.one, 3);
  at = `/dids/${dataset.scope}/${dataset.name}`;
});

/** The files of the dataset, as the WebUI lists its content. */
const filesOfDataset = () => getStream<Row & { name: string }>(root, `${at}/dids`);

/** A rule as the last step of "New Rule" posts it. */
const newWebUiRule = async (more: object = {}) => {
  const answer = await send(root, 'post', '/rules/', {
    dids: [dataset],
    copies: 1,
    rse_expression: setup.two,
    account: 'root',
    grouping: 'DATASET',
    lifetime: 86_400,
    notify: 'N',
    comments: 'from the WebUI',
    asynchronous: false,
    ask_approval: false,
    activity: 'User Subscriptions',
    ...more,
  });
  expect(answer.status).toBe(201);
  const [id] = answer.json() as [string];
  return id;
};

describe('the log-in of the official WebUI', () => {
  it('needs no account, and reads account, token and its end from the headers', async () => {
    const { alice } = setup;
    for (const account of [undefined, alice.account]) {
      const { status, headers } = await logInToWebUi(alice, account);
      expect(status).toBe(200);
      expect(headers.get('X-Rucio-Auth-Account')).toBe(alice.account);
      expect(headers.get('X-Rucio-Auth-Token')).not.toBeNull();
      expect(Date.parse(headers.get('X-Rucio-Auth-Token-Expires') ?? '')).toBeGreaterThan(Date.now());
    }
    expect((await logInToWebUi({ ...alice, password: 'wrong' })).status).toBe(401);
  });

  it('offers the accounts of the identity, if there are several', async () => {
    const [one, two] = [await newAccount(), await newAccount()];
    const { username, password } = one;
    const identity = { identity: username, authtype: 'USERPASS', email: 'x@example.org', password };
    expectCreated(await root.post(`/accounts/${two.account}/identities`, identity));
    const accounts = [one.account, two.account].toSorted();
    const { status, headers } = await logInToWebUi(one);
    expect(status).toBe(206);
    expect(headers.get('X-Rucio-Auth-Accounts')?.split(',').toSorted()).toEqual(accounts);
    expect((await logInToWebUi(one, two.account)).headers.get('X-Rucio-Auth-Account')).toBe(two.account);
    const query = new URLSearchParams({ identity_key: username, type: 'userpass' });
    const listed = await getDocument<string[]>(one, `/identities/accounts?${query.toString()}`);
    expect(listed.toSorted()).toEqual(accounts);
  });

  it('finds the account of an OpenID identity, whose spaces are sent as plus signs', async () => {
    const { alice } = setup;
    const identity = `SUB=${uniqueName('sub')}, ISS=https://issuer.example.org/realms/one`;
    const body = { identity, authtype: 'OIDC', email: 'x@example.org' };
    expectCreated(await root.post(`/accounts/${alice.account}/identities`, body));
    const query = new URLSearchParams({ identity_key: identity, type: 'OIDC' });
    expect(await getDocument(alice, `/identities/accounts?${query.toString()}`)).toEqual([alice.account]);
  });

  it('takes an account with the attribute `admin` for an administrator', async () => {
    const admin = await newAccount({ admin: true });
    expect(await getDocument(admin, `/accounts/${admin.account}/attr`)).toEqual([{ key: 'admin', value: true }]);
    expect(await getDocument(setup.alice, `/accounts/${setup.alice.account}/attr`)).toEqual([]);
  });
});

describe('the pages of DIDs of the official WebUI', () => {
  it('search reads one quoted name a line, with filters for lengths and times', async () => {
    const { scope, name } = dataset;
    const search = (query: string) => getStream<string>(root, `/dids/${scope}/dids/search?${query}`);
    const head = `name=${encodeURIComponent(`${name.slice(0, -2)}*`)}`;
    for (const type of ['dataset', 'collection', 'all']) expect(await search(`${head}&type=${type}`)).toContain(name);
    for (const filter of ['length=3', 'length.gt=2', 'length.gte=3', 'length.lt=4', 'length.lte=3'])
      expect(await search(`${head}&type=dataset&${filter}`)).toEqual([name]);
    const before = encodeURIComponent('2020-01-01T00:00:00.000Z');
    expect(await search(`${head}&type=dataset&created_after=${before}`)).toEqual([name]);
    expect(await search(`${head}&type=dataset&created_before=${before}`)).toEqual([]);
    expect(await search(`${head}&type=dataset&length.gt=3`)).toEqual([]);
  });

  it('a dataset has a size, metadata, content, parents and rules', async () => {
    const { scope, name } = dataset;
    const container = uniqueName('all');
    expect((await send(root, 'post', `/dids/${scope}/${container}`, { type: 'CONTAINER' })).status).toBe(201);
    const attached = await send(root, 'post', `/dids/${scope}/${container}/dids`, { dids: [dataset] });
    expect(attached.status).toBe(201);
    const id = await newRule(dataset, setup.one);
    for (const query of ['', '?dynamic_depth=FILE'])
      expect(await getDocument(root, `${at}/status${query}`)).toMatchObject({ type: 'DATASET', open: true, length: 3 });
    const meta = await getDocument(root, `${at}/meta`);
    expect(meta).toMatchObject({ scope, name, did_type: 'DATASET', is_open: true, account: 'root' });
    expect(Date.parse(String(meta['created_at']))).toBeLessThanOrEqual(Date.now());
    expect((await filesOfDataset()).map(({ type }) => type)).toEqual(['FILE', 'FILE', 'FILE']);
    expect(await getStream(root, `${at}/parents`)).toEqual([{ scope, name: container, type: 'CONTAINER' }]);
    const [rule] = await getStream(root, `${at}/rules`);
    expect(rule).toMatchObject({ id, state: 'OK', grouping: 'DATASET', notification: 'NO', locks_ok_cnt: 3 });
    const [replica] = await getStream(root, `/replicas/${scope}/${name}/datasets`);
    expect(replica).toMatchObject({ rse: setup.one, state: 'AVAILABLE', length: 3, available_length: 3 });
  });

  it('replicas name the state of every RSE, of names with slashes too', async () => {
    const { scope, one } = setup;
    const name = `${uniqueName('dir')}/file`;
    await register(one, scope, [name]);
    const [replica] = await getReplicas(root, { scope, name });
    expect(replica).toMatchObject({ states: { [one]: 'AVAILABLE' } });
    expect(Object.keys(replica?.['rses'] ?? {})).toEqual([one]);
    const meta = await getDocument(root, `/dids/${scope}/${encodeURIComponent(name)}/meta`);
    expect(meta).toMatchObject({ name, did_type: 'FILE', is_open: null });
  });

  it('an unknown DID is a 404 whose message is shown', async () => {
    const path = `/dids/${setup.scope}/${uniqueName('none')}/meta`;
    expectError(await root.get(path), 404, 'DataIdentifierNotFound', /not found/);
  });
});

describe('the pages of RSEs of the official WebUI', () => {
  it('find RSEs by an expression, and show the message of a wrong one', async () => {
    const expression = encodeURIComponent(`${setup.one}|${setup.two}`);
    const names = (await getStream(root, `/rses/?expression=${expression}`)).map(({ rse }) => rse);
    expect(new Set(names)).toEqual(new Set([setup.one, setup.two]));
    expectError(await root.get('/rses/?expression=%28%28'), 400, 'InvalidRSEExpression', /parentheses/);
  });

  it('an RSE has a type, attributes, and protocols with both domains', async () => {
    const { one } = setup;
    const details = await getDocument(root, `/rses/${one}`);
    expect(details).toMatchObject({ rse: one, rse_type: 'DISK', availability_read: true, availability_delete: true });
    for (const protocols of [details['protocols'], await getDocument<Row[]>(root, `/rses/${one}/protocols`)])
      expect(protocols).toMatchObject([{ scheme: 'file', domains: { lan: { read: 1 }, wan: { delete: 1 } } }]);
    expect(await getDocument(root, `/rses/${one}/attr/`)).toEqual({ [one]: true });
  });
});

describe('the pages of rules of the official WebUI', () => {
  it('list rules by account, scope, state, activity and time', async () => {
    const id = await newWebUiRule({ comments: undefined });
    const { scope, name } = dataset;
    const all = `/rules/?account=root&scope=${scope}`;
    const ids = async (path: string) => (await getStream(root, path)).map((rule) => rule['id']);
    for (const filter of [
      '',
      '&state=R',
      '&activity=User+Subscriptions',
      `&name=${name}`,
      `&updated_after=${daysAgo(15)}`,
    ])
      expect(await ids(all + filter)).toContain(id);
    expect(await ids(`/rules/?account=*&scope=${scope}`)).toContain(id);
    expect(await ids(`/rules/?account=root&scope=*`)).toContain(id);
    expect(await ids(`${all}&updated_before=${daysAgo(15)}`)).toEqual([]);
    expect(await ids(`/rules/?account=*&scope=${scope}&state=W`)).toEqual([]);
  });

  it('a rule shows its state and its locks, and can be boosted, prolonged, commented and ended', async () => {
    const id = await newWebUiRule({ rse_expression: `${setup.two}|${setup.two}` });
    const rule = await getDocument(root, `/rules/${id}`);
    expect(rule).toMatchObject({ id, did_type: 'DATASET', grouping: 'DATASET', notification: 'NO', locked: false });
    expect(ruleStates).toContain(rule['state']);
    expect(Date.parse(String(rule['expires_at']))).toBeGreaterThan(Date.now());
    const locks = await getStream(root, `/rules/${id}/locks`);
    expect(locks.map(({ rse, state }) => [rse, state])).toEqual(
      Array.from({ length: 3 }, () => [setup.two, 'REPLICATING']),
    );
    expect(await getDocument(root, `/rules/${id}/analysis`)).toMatchObject({ rule_error: expect.any(String) });
    for (const options of [{ priority: 5 }, { comment: 'seen' }, { lifetime: null }, { lifetime: 3600 }])
      expectEmpty(await send(root, 'put', `/rules/${id}`, { options }));
    expect(await getDocument(root, `/rules/${id}`)).toMatchObject({ priority: 5, comments: 'seen' });
    expectEmpty(await root.delete(`/rules/${id}`, {}));
    expectError(await root.get(`/rules/${unknownRuleId}`), 404, 'RuleNotFound');
  });

  it('an administrator finds the rules that ask for approval, and approves or denies them', async () => {
    const [yes, no] = [uniqueName('yes'), uniqueName('no')];
    const ask = (name: string) => newWebUiRule({ dids: [{ scope: setup.scope, name }], ask_approval: true });
    const [file] = await filesOfDataset();
    for (const name of [yes, no]) {
      // Several DIDs are put into a new collection, which is closed.
      const path = `/dids/${setup.scope}/${name}`;
      expect((await send(root, 'post', path, { type: 'DATASET' })).status).toBe(201);
      const dids = [{ scope: setup.scope, name: file?.name }];
      expect((await send(root, 'post', `${path}/dids`, { dids })).status).toBe(201);
      expectEmpty(await send(root, 'put', `${path}/status`, { open: false }));
    }
    const [approved, denied] = [await ask(yes), await ask(no)];
    const waiting = await getStream(root, `/rules/?account=*&scope=${setup.scope}&state=W`);
    expect(new Set(waiting.map(({ id }) => id))).toEqual(new Set([approved, denied]));
    expectEmpty(await send(root, 'put', `/rules/${approved}`, { options: { approve: true } }));
    expectEmpty(await send(root, 'put', `/rules/${denied}`, { options: { approve: false, comment: 'too large' } }));
    expect((await getDocument(root, `/rules/${approved}`))['state']).not.toBe('WAITING_APPROVAL');
    expectError(await root.get(`/rules/${denied}`), 404, 'RuleNotFound');
  });

  it('a rule for a sample needs the text `Created` from the sample', async () => {
    const { scope, name } = dataset;
    const sample = { output_scope: scope, output_name: uniqueName('sample'), nbfiles: 2 };
    const answer = await send(root, 'post', '/dids/sample', { input_scope: scope, input_name: name, ...sample });
    expectCreated(answer);
  });

  it('show limits and use of the account by RSE, from which "New Rule" takes the quota', async () => {
    const { account } = setup.alice;
    await allow(account, setup.two);
    await newWebUiRule({ account, rse_expression: `${setup.two}|${setup.two}|${setup.two}` });
    const limits = await getDocument(root, `/accounts/${account}/limits`);
    expect(limits[setup.two]).toBe(1e12);
    const usage = (await getStream(root, `/accounts/${account}/usage`)).find(({ rse }) => rse === setup.two);
    expect(usage).toMatchObject({ bytes_limit: 1e12, files: expect.any(Number), bytes: expect.any(Number) });
    expect(await getDocument(root, `/accounts/${account}`)).toMatchObject({ account, status: 'ACTIVE' });
  });
});

describe('the further pages of the official WebUI', () => {
  it('a subscription is read as one document, whose filter and rules are JSON texts', async () => {
    const { alice } = setup;
    const name = uniqueName('sub');
    await newSubscription(alice, name);
    const one = await getDocument(root, `/subscriptions/${alice.account}/${name}`);
    expect(one).toMatchObject({ name, account: alice.account, state: 'ACTIVE' });
    expect(JSON.parse(String(one['replication_rules']))).toMatchObject([{ rse_expression: 'X', copies: 1 }]);
    expect(JSON.parse(String(one['filter']))).toMatchObject({ scope: ['data'] });
    expect(await getStream(root, `/subscriptions/${alice.account}`)).toEqual([one]);
    const states = await getStream(root, `/subscriptions/${alice.account}/rules/states`);
    expect(states).toEqual([[alice.account, name, null, 0]]);
  });

  it('suspicious replicas since a time of seconds are found, and declared bad', async () => {
    const { scope, one } = setup;
    const name = uniqueName('bad');
    await register(one, scope, [name]);
    const [replica] = await getReplicas(root, { scope, name });
    const pfns = Object.keys(replica?.['pfns'] ?? {});
    expect((await root.post('/replicas/suspicious', { pfns, reason: 'checksum' })).status).toBe(201);
    const since = new Date(Date.now() - 86_400_000).toISOString().replace(/\.\d{3}Z$/, '');
    const query = new URLSearchParams({ rse_expression: one, younger_than: since, nattempts: '0' });
    const found = await getDocument<Row[]>(root, `/replicas/suspicious/?${query.toString()}`);
    expect(found).toMatchObject([{ scope, name, rse: one, cnt: 1 }]);
    const body = { dids: [{ scope, name }], rse: one, reason: 'checksum', expires_at: null };
    const declared = await send(root, 'post', '/replicas/bad/dids/', body);
    expect([declared.status, declared.json()]).toEqual([201, []]);
  });
});
