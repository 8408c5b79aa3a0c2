import { asRoot, type Client, createClient } from '../../support/server.ts';
import type { Material } from './requests.ts';

/**
 * Makes a small catalogue and returns what requests about it are made of. Its names follow from the seed, so that a seed
 * stands for the same requests every time. Root is no word: generated requests change whatever they can name.
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
  const files = ['file.1', 'dir/file.2', 'file.3'];
  const guid = (index: number) =>
    `${index}1111111-2222-4333-8444-${prefix.padEnd(12, '0').replaceAll(/[^0-9a-f]/g, '0')}`;

  for (const account of [...accounts, ...doomed]) {
    await make(root.post(`/accounts/${account}`, { type: 'USER', email: `${account}@example.org` }));
  }
  for (const [index, scope] of scopes.entries()) await make(root.post(`/accounts/${accounts[index]}/scopes/${scope}`));
  for (const rse of rses) await make(root.post(`/rses/${rse}`, {}));
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

  const caller = await makeCaller(`${prefix}-caller`);
  const identities = [...accounts, 'somebody@example.org'];
  return {
    tokens: [await root.token(), await caller.token()],
    words: {
      account: [...accounts, 'nobody'],
      'doomed account': doomed,
      scope: scopes,
      name: [...files, 'loose.1', 'loose.2', 'dataset', 'container', 'empty', 'new', 'dir/new', 'status'],
      rse: rses,
      rse_expression: [...rses, '*'],
      expression: [...rses, '*'],
      guid: [guid(0), guid(1), guid(9)],
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
      'body attachment': scopes.map((scope) => ({ dids: [{ scope, name: 'loose.1' }] })),
      'body status': [{ open: true }, { open: false }],
      'X-Rucio-Account': [caller.account, 'nobody'],
      'X-Rucio-Username': [caller.username, 'somebody@example.org'],
      'X-Rucio-Password': ['secret', 'wrong'],
      'X-Rucio-VO': ['def', 'other'],
      'X-Rucio-Auth-Token': [await caller.token()],
    },
  };
}

/** An account that may do little; nothing else knows its name. */
async function makeCaller(account: string): Promise<Client> {
  const password = 'secret';
  await make(asRoot().post(`/accounts/${account}`, { type: 'USER', email: '' }));
  const identity = { identity: account, authtype: 'USERPASS', email: '', password };
  await make(asRoot().post(`/accounts/${account}/identities`, identity));
  return createClient({ account, username: account, password });
}

/** A second run with the same seed finds everything there already. */
async function make(request: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await request;
  if (status !== 201 && status !== 409) throw new Error(`cannot prepare the catalogue: ${status} ${text}`);
}
