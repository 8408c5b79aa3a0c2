/** Helpers of the acceptance tests of rules and replicas (spec/replication.md 8). */
import { expect } from 'vitest';

import { expireDids } from '../../lib/background/expire-dids.ts';
import { asFile, getDid, type Replica } from '../../lib/store/entities/did.ts';
import { getRse } from '../../lib/store/entities/rse.ts';
import { openStore } from '../../lib/store/open-store.ts';
import { expectStatus, newStorageRse } from './replicas.ts';
import { allow, linesOf, ruleOf } from './rules.ts';
import { engineOfRun } from './run.ts';
import { asRoot, type Client, newAccount, newScope } from './server.ts';

const root = asRoot();

/** The scope and name of a DID. */
export interface Did {
  readonly scope: string;
  readonly name: string;
}

/** A scope, two RSEs with protocols, and an account that nothing else uses, so that usage is exact. */
export interface ReplicationSetup extends Pick<Client, 'account'> {
  readonly scope: string;
  readonly one: string;
  readonly two: string;
  readonly owner: Client;
}

/** Makes a scope, RSEs and their owner, an administrator. */
export async function newReplicationSetup({
  one: prefixOne = '/one',
  two: prefixTwo = '/two',
} = {}): Promise<ReplicationSetup> {
  const owner = await newAccount({ admin: true });
  const [scope, one, two] = await Promise.all([
    newScope({ owner: owner.account }),
    newStorageRse({ prefix: prefixOne }),
    newStorageRse({ prefix: prefixTwo }),
  ]);
  await allow(owner.account, one, two);
  return { scope, one, two, owner, account: owner.account };
}

/** State and counters of a rule, such as `OK 1/0/0`. */
export async function stateOf(id: string): Promise<string> {
  const { state, locks_ok_cnt: ok, locks_replicating_cnt: replicating, locks_stuck_cnt: stuck } = await ruleOf(id);
  return `${state} ${String(ok)}/${String(replicating)}/${String(stuck)}`;
}

/** Waits for state and counters of a rule. */
export async function expectState(id: string, text: string): Promise<void> {
  await expect.poll(() => stateOf(id)).toBe(text);
}

/** Changes the state of replicas. */
export async function putReplicaStates(
  rse: string,
  dids: readonly Did[],
  state: string,
  more: object = {},
): Promise<void> {
  const files = dids.map(({ scope, name }) => ({ scope, name, state, ...more }));
  expectStatus(await root.put('/replicas', { rse, files }), 200);
}

/** Attaches children to a collection. */
export async function attach(parent: Did, dids: readonly Did[]): Promise<void> {
  expectStatus(await root.post(`/dids/${parent.scope}/${parent.name}/dids`, { dids }), 201);
}

/** Detaches children from a collection. */
export async function detach(parent: Did, dids: readonly Did[]): Promise<void> {
  expectStatus(await root.delete(`/dids/${parent.scope}/${parent.name}/dids`, { dids }), 200);
}

/** The state of each lock of a rule, by the name of the file and the RSE. */
export async function locksOf(id: string): Promise<Readonly<Record<string, string>>> {
  const lines = (await linesOf(`/rules/${id}/locks`)) as unknown as { name: string; rse: string; state: string }[];
  return Object.fromEntries(lines.map(({ name, rse, state }) => [`${name} ${rse}`, state]));
}

/** The usage of an RSE by an account. */
export async function usageOf(account: string, rse: string): Promise<readonly [files: number, bytes: number]> {
  const [line] = (await linesOf(`/accounts/${account}/usage/${rse}`)) as unknown as { files: number; bytes: number }[];
  return [line?.files ?? 0, line?.bytes ?? 0];
}

/** Files and bytes on an RSE as the catalogue counts them (source `rucio`). */
export async function contentOf(rse: string): Promise<readonly [files: number, bytes: number]> {
  const [line] = (await linesOf(`/rses/${rse}/usage?source=rucio`)) as unknown as { files: number; used: number }[];
  return [line?.files ?? 0, line?.used ?? 0];
}

/** Number of locks of a replica, and its tombstone in milliseconds since 1970; null: none. */
export interface Protection {
  readonly lockCount: number;
  readonly tombstone: number | null;
  readonly createdAt: number;
}

/**
 * Reads locks and tombstone of a replica from the table, since no route shows them; undefined with `BASE_URL`, without access to it.
 */
export async function protectionOf(did: Did, rseName: string): Promise<Protection | undefined> {
  const engine = await engineOfRun();
  if (engine === undefined) return undefined;
  const { table } = openStore({ ...engine.client, tableName: engine.tableName }).begin();
  const [found, rse] = await Promise.all([getDid(table, did), getRse(table, rseName)]);
  const file = asFile(found);
  const replica: Replica | undefined = file?.replicas.get(rse?.id ?? '');
  if (file === undefined || replica === undefined) throw new Error(`no replica of ${did.name} on ${rseName}`);
  const { locks = {}, tombstone = null, createdAt = file.createdAt } = replica;
  return { lockCount: Object.keys(locks).length, tombstone, createdAt };
}

/** Expects locks and tombstone of a replica, if the table can be read. */
export async function expectProtection(did: Did, rse: string, lockCount: number, tombstone: number | null | 'birth') {
  const found = await protectionOf(did, rse);
  if (found === undefined) return;
  const expected = tombstone === 'birth' ? found.createdAt : tombstone;
  expect([found.lockCount, found.tombstone]).toEqual([lockCount, expected]);
}

/** Runs the job that deletes expired DIDs now; with `BASE_URL` tests have to wait for its schedule. */
export async function expireDidsNow(): Promise<void> {
  const engine = await engineOfRun();
  if (engine !== undefined)
    await expireDids({ store: openStore({ ...engine.client, tableName: engine.tableName }).begin(), now: Date.now() });
}
