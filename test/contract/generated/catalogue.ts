import { asRoot, type Client, createClient } from '../../support/server.ts';
import type { Material } from './requests.ts';
import { makeRules } from './rules.ts';

/**
 * Creates a small catalogue and returns the material for requests about it. Its names follow from the seed, so that a
 * seed always gives the same requests. Root is not in the material: generated requests change everything that they can
 * name.
 */
export async function makeCatalogue(seed: number): Promise<Material> {
  const root = asRoot();
  const prefix = `fz${(seed >>> 0).toString(36)}`;
  const named = (kind: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}-${kind}${index}`);
  const accounts = named('a', 3);
  const doomed = named('d', 3);
  const scopes = named('s', 2);
  const rses = named('R', 2).map((name) => name.toUpperCase());
  const doomedRses = named('X', 3).map((name) => name.toUpperCase());
  const files = ['file.1', 'dir/file.2', 'file.3'];
  const guid = (index: number) =>
    `${index}1111111-2222-4333-8444-${prefix.padEnd(12, '0').replaceAll(/[^0-9a-f]/g, '0')}`;

  for (const account of [...accounts, ...doomed]) {
    await make(root.post(`/accounts/${account}`, { type: 'USER', email: `${account}@example.org` }));
  }
  for (const [index, scope] of scopes.entries()) await make(root.post(`/accounts/${accounts[index]}/scopes/${scope}`));
  for (const rse of [...rses, ...doomedRses]) await make(root.post(`/rses/${rse}`, {}));
  const everything = { lan: { read: 1, write: 1 }, wan: { read: 1, write: 1, delete: 1 } };
  const ports = [1, 2, 3, 4];
  const protocols = ['davs', 'root', 'file'].flatMap((scheme) =>
    ['h', 'gone'].flatMap((hostname) => ports.map((port) => ({ scheme, hostname, port }))),
  );
  for (const rse of rses) {
    for (const { scheme, ...host } of protocols) {
      const body = { impl: 'rucio.rse.protocols.webdav.Default', domains: everything, ...host };
      await make(root.post(`/rses/${rse}/protocols/${scheme}`, body));
    }
  }
  for (const [index, scope] of scopes.entries()) {
    const children = files.map((name, file) => ({
      scope,
      name,
      bytes: 10 ** file,
      adler32: '0cc737eb',
      meta: { guid: guid(index * files.length + file) },
    }));
    await make(root.post(`/dids/${scope}/dataset`, { type: 'DATASET', dids: children, rse: rses[0] }));
    await make(root.post(`/dids/${scope}/container`, { type: 'CONTAINER', dids: [{ scope, name: 'dataset' }] }));
    const loose = ['loose.1', 'loose.2'].map((name) => ({ scope, name, bytes: 5 }));
    await make(root.post(`/dids/${scope}/store`, { type: 'DATASET', dids: loose, rse: rses[1] }));
    await make(root.post(`/dids/${scope}/empty`, { type: 'DATASET' }));
  }

  const [section = '', doomedSection = ''] = named('c', 2);
  const options = { option: 'alpha', other: 7, 'doomed.1': true, 'doomed.2': 'x' };
  await make(root.post('/config', { [section]: options, [doomedSection]: options }));

  const subscriptions = named('sub', 2);
  const filter = { scope: scopes, pattern: 'file.*', account: accounts };
  const rules = [{ rse_expression: rses[0] ?? '', copies: 1, activity: 'Staging' }];
  const wanted = { filter, replication_rules: rules, comments: null, lifetime: null, retroactive: false };
  const subscriptionIds: string[] = [];
  for (const name of subscriptions) {
    const path = `/subscriptions/${accounts[0]}/${name}`;
    await make(root.post(path, { options: wanted }));
    subscriptionIds.push(((await root.get(path)).json() as { id: string }).id);
  }

  const identity = { identity: 'somebody@example.org', authtype: 'USERPASS', email: '', password: 'secret' };
  await make(root.post(`/accounts/${accounts[0]}/identities`, identity));
  const ruleWords = await makeRules(root, { scope: scopes[0] ?? '', accounts, rses });
  const caller = await makeCaller(`${prefix}-caller`);
  const identities = [...accounts, identity.identity];
  return {
    tokens: [await root.token(), await caller.token()],
    words: {
      ...ruleWords,
      account: [...accounts, 'nobody'],
      'doomed account': doomed,
      scope: scopes,
      name: [
        ...files,
        ...subscriptions,
        'loose.1',
        'loose.2',
        'dataset',
        'container',
        'empty',
        'published',
        'new',
        'dir/new',
        'status',
      ],
      rse: rses,
      'doomed rse': doomedRses,
      policy: ['FAST', 'CHEAP'],
      source: rses,
      destination: rses,
      scheme: ['davs', 'root'],
      'doomed scheme': ['file'],
      hostname: ['h'],
      'doomed hostname': ['gone'],
      port: [...ports, ...ports.map(String)],
      domains: [everything, { wan: { read: null } }],
      domain: ['lan', 'wan', 'ALL'],
      operation: ['read', 'WRITE', 'third_party_copy_read'],
      lfn: scopes.map((scope) => `${scope}:file.1`),
      rse_expression: [...rses, '*'],
      expression: [...rses, '*', `*\\(${rses[0]}&x<5)`, 'volatile=0|tier=1', 'rse_type=x', '(', 'a b'],
      section: [section],
      'doomed section': [doomedSection],
      option: ['option', 'other'],
      'doomed option': ['doomed.1', 'doomed.2'],
      guid: [guid(0), guid(1), guid(9)],
      limit: [1, 2],
      cursor: await Promise.all(
        ['/scopes', '/accounts', '/meta_conventions', ...scopes.map((scope) => `/dids/${scope}/dataset/dids`)].map(
          cursorOf,
        ),
      ),
      identity: identities,
      identity_key: identities,
      type: ['USERPASS', 'x509', 'USER', 'service', 'DATASET', 'container', 'FILE'],
      authtype: ['USERPASS', 'x509'],
      account_type: ['USER', 'GROUP', 'service'],
      status: ['ACTIVE', 'suspended'],
      plugin: ['ALL', 'JSON', 'DID_COLUMN'],
      key: ['project', 'events', 'lifetime', 'guid', 'bytes', 'account', 'free', 'admin', 'open'],
      key_type: ['ALL', 'DATASET', 'FILE'],
      project: ['alpha', 'beta'],
      lifetime: [1000, null],
      events: [7],
      bytes: [0, 1000, -1],
      open: [true, false],
      value: ['alpha', 'true', 7],
      nbfiles: ['1', '2', '0', '-1', 'x', '9999999999'],
      subscription_id: subscriptionIds,
      'path /subscriptions/:account/:name': subscriptions.map((name) => `/subscriptions/${accounts[0]}/${name}`),
      filter: [filter, {}],
      replication_rules: [rules],
      state: ['I', 'A', 'O', 'OK', 'X'],
      'body identity': [{ identity: identity.identity, authtype: 'USERPASS' }],
      'body attachment': scopes.map((scope) => ({ dids: [{ scope, name: 'loose.1' }] })),
      'body status': [{ open: true }, { open: false }],
      'body import': [
        { rses: { [rses[0] ?? '']: { attributes: { tier: 1 } }, [`${rses[1]}-NEW`]: { city: 'Oslo' } } },
        { distances: { [rses[0] ?? '']: { [rses[1] ?? '']: { distance: 1 } } } },
      ],
      'X-Rucio-Account': [caller.account, 'nobody'],
      'X-Rucio-Username': [caller.username, 'somebody@example.org'],
      'X-Rucio-Password': ['secret', 'wrong'],
      'X-Rucio-VO': ['def', 'other'],
      'X-Rucio-Auth-Token': [await caller.token()],
    },
  };
}

/** A cursor of a list; for a list without a second row an invalid one. */
async function cursorOf(path: string): Promise<string> {
  const link = (await asRoot().get(`${path}?limit=1`)).headers.get('Link') ?? '';
  return /cursor=([^&>]+)/.exec(link)?.[1] ?? 'none';
}

/** An account with few permissions; its name is not in the material. */
async function makeCaller(account: string): Promise<Client> {
  const password = 'secret';
  await make(asRoot().post(`/accounts/${account}`, { type: 'USER', email: '' }));
  const identity = { identity: account, authtype: 'USERPASS', email: '', password };
  await make(asRoot().post(`/accounts/${account}/identities`, identity));
  return createClient({ account, username: account, password });
}

/** A second run with the same seed finds everything created already. */
async function make(request: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await request;
  if (status !== 201 && status !== 409) throw new Error(`cannot prepare the catalogue: ${status} ${text}`);
}
