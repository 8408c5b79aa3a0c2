/** Helpers of the tests of DIDs: a scope with an owner and an RSE, and short functions for requests. */
import { expect } from 'vitest';

import { asRoot, newAccount, newScope, uniqueName } from './server.ts';

/** Makes a scope, its owner, who sends all requests, and an RSE for files. */
export async function newDidSetup() {
  const alice = await newAccount();
  const scope = await newScope({ owner: alice.account });
  const rse = uniqueName('disk').toUpperCase();
  expect((await asRoot().post(`/rses/${rse}`)).status).toBe(201);
  // The owner may register files there.
  const limit = `/accounts/${alice.account}/limits/local/${rse}`;
  expect((await asRoot().post(limit, { bytes: -1 })).status).toBe(201);

  const at = (name: string, suffix = '') => `/dids/${scope}/${encodeURIComponent(name)}${suffix}`;

  /** A new DID; returns its name. */
  const add = async (type: 'DATASET' | 'CONTAINER', more: object = {}): Promise<string> => {
    const name = uniqueName(type);
    const answer = await alice.post(at(name), { type, ...more });
    expect(`${answer.status} ${answer.text}`).toBe('201 Created');
    return name;
  };

  /** New files in a new dataset; returns the names. */
  const addFiles = async (count: number, bytes = 10): Promise<{ dataset: string; files: string[] }> => {
    const files = Array.from({ length: count }, () => uniqueName('file'));
    const dids = files.map((name) => ({ scope, name, bytes, adler32: '0cc737eb', md5: 'd'.repeat(32) }));
    return { dataset: await add('DATASET', { dids, rse }), files };
  };

  /** Attaches DIDs of the scope. */
  const attach = (parent: string, names: readonly string[], more: object = {}) =>
    alice.post(at(parent, '/dids'), { dids: names.map((name) => ({ scope, name })), ...more });

  /** The answer to `GET` of a DID. */
  const get = async (name: string, query = '') => (await alice.get(at(name, query))).json() as Record<string, unknown>;

  return { alice, scope, rse, at, add, addFiles, attach, get };
}
