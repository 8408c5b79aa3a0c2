/** What the tests of DIDs share: a place for DIDs, and the shortest words for what is done there. */
import { expect } from 'vitest';

import { asRoot, newAccount, newScope, uniqueName } from './server.ts';

/** A scope, the account that owns it and does what is done below, and an RSE for files. */
export async function newDidSetup() {
  const alice = await newAccount();
  const scope = await newScope({ owner: alice.account });
  const rse = uniqueName('disk').toUpperCase();
  expect((await asRoot().post(`/rses/${rse}`)).status).toBe(201);
  // Who owns the files may put them there.
  const limit = `/accounts/${alice.account}/limits/local/${rse}`;
  expect((await asRoot().post(limit, { bytes: -1 })).status).toBe(201);

  const at = (name: string, suffix = '') => `/dids/${scope}/${encodeURIComponent(name)}${suffix}`;

  /** A new DID; returns its name. */
  const add = async (type: 'DATASET' | 'CONTAINER', more: object = {}): Promise<string> => {
    const name = uniqueName(type);
    const answer = await alice.post(at(name), { type, ...more });
    expect(`${answer.status} ${answer.text}`).toBe('201 ');
    return name;
  };

  /** New files in a new dataset; returns the names. */
  const addFiles = async (count: number, bytes = 10): Promise<{ dataset: string; files: string[] }> => {
    const files = Array.from({ length: count }, () => uniqueName('file'));
    const dids = files.map((name) => ({ scope, name, bytes, adler32: '0cc737eb', md5: 'd'.repeat(32) }));
    return { dataset: await add('DATASET', { dids, rse }), files };
  };

  /** Attaches what is in the scope already. */
  const attach = (parent: string, names: readonly string[], more: object = {}) =>
    alice.post(at(parent, '/dids'), { dids: names.map((name) => ({ scope, name })), ...more });

  /** The DID as it is shown. */
  const get = async (name: string, query = '') => (await alice.get(at(name, query))).json() as Record<string, unknown>;

  return { alice, scope, rse, at, add, addFiles, attach, get };
}
