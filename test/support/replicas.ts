/** Helpers of the tests of replicas: RSEs with a protocol, files on them, and requests that read both. */
import { expect } from 'vitest';

import { type Answer, asRoot, type Client, newAccount, newScope, uniqueName } from './server.ts';

const root = asRoot();

/** An implementation whose PFNs are easy to predict. */
const posix = 'rucio.rse.protocols.posix.Default';

/** Priorities of reading, writing and deleting in both domains. */
export const everywhere = { lan: { read: 1, write: 1, delete: 1 }, wan: { read: 1, write: 1, delete: 1 } };

/** Expects a status, whatever the body. */
export function expectStatus(answer: Answer, status: number): void {
  expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^${status} `));
}

/** A new RSE; with a prefix it has a protocol of the scheme `file`. */
export async function newStorageRse(
  options: { prefix?: string; domains?: object; name?: string; [setting: string]: unknown } = {},
): Promise<string> {
  const { prefix, domains = everywhere, name = uniqueName('rse').toUpperCase(), ...settings } = options;
  expectStatus(await root.post(`/rses/${name}`, settings), 201);
  if (prefix !== undefined) await addProtocol(name, 'file', { hostname: 'localhost', impl: posix, prefix, domains });
  return name;
}

/** Adds a protocol to an RSE. */
export async function addProtocol(rse: string, scheme: string, protocol: object): Promise<void> {
  expectStatus(await root.post(`/rses/${rse}/protocols/${scheme}`, { port: 0, ...protocol }), 201);
}

/** Two RSEs with predictable PFNs, a scope and an account. */
export interface ReplicaSetup {
  readonly scope: string;
  /** RSEs whose PFNs begin with `file://localhost/one/` and `/two/`, below the folder if there is one. */
  readonly one: string;
  readonly two: string;
  readonly alice: Client;
}

/**
 * A scope of root, two RSEs, and an account that may do little.
 *
 * @param folder Goes before the prefixes, for tests whose PFNs must be unique: `/` and a name.
 */
export async function newReplicaSetup(folder = ''): Promise<ReplicaSetup> {
  const [scope, one, two, alice] = await Promise.all([
    newScope(),
    newStorageRse({ prefix: `${folder}/one` }),
    newStorageRse({ prefix: `${folder}/two` }),
    newAccount(),
  ]);
  return { scope, one, two, alice };
}

/** A line of a list of replicas. */
export interface Line {
  readonly scope: string;
  readonly name: string;
  readonly bytes: number;
  readonly adler32: string | null;
  readonly md5: string | null;
  readonly pfns: Readonly<Record<string, { rse: string; domain: string; priority: number; client_extract: boolean }>>;
  readonly rses: Readonly<Record<string, string[]>>;
  readonly states: Readonly<Record<string, string>>;
  readonly parents?: string[];
}

/** Files as the body of a registration. */
export function files(scope: string, names: readonly string[], more: object = {}) {
  return names.map((name) => Object.assign({ scope, name, bytes: 10, adler32: '0cc737eb' }, more));
}

/** Registers files on an RSE. */
export async function register(rse: string, scope: string, names: readonly string[], more: object = {}): Promise<void> {
  expectStatus(await root.post('/replicas', { rse, files: files(scope, names, more) }), 201);
}

/** The replicas of DIDs of one scope. */
export async function list(scope: string, names: readonly string[], more: object = {}): Promise<Line[]> {
  const answer = await root.post('/replicas/list', { dids: names.map((name) => ({ scope, name })), ...more });
  expectStatus(answer, 200);
  return answer.lines() as Line[];
}

/** The state of each replica of a file, by RSE; in all states. */
export async function states(scope: string, name: string): Promise<Readonly<Record<string, string>>> {
  const [line] = await list(scope, [name], { all_states: true, ignore_availability: true });
  return line?.states ?? {};
}

/** Makes a collection of children in the same scope. */
export async function collect(type: 'DATASET' | 'CONTAINER', scope: string, name: string, children: readonly string[]) {
  expectStatus(await root.post(`/dids/${scope}/${name}`, { type }), 201);
  if (children.length === 0) return;
  const dids = children.map((child) => ({ scope, name: child }));
  expectStatus(await root.post(`/dids/${scope}/${name}/dids`, { dids }), 201);
}
