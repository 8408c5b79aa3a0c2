import { LockState, ReplicaState } from '../../lib/contract/schemas/states.ts';
import type { Context } from '../../lib/domain/values/context.ts';
import { getMetadata } from '../../lib/operations/dids/get-metadata.ts';
import { showRule } from '../../lib/operations/rules/get-rule.ts';
import type { Table } from '../../lib/store/batches/table.ts';
import { listAccounts } from '../../lib/store/entities/account.ts';
import { getDatasetLocks } from '../../lib/store/entities/dataset-lock.ts';
import { type Did, type FileDid, isFile, listByPrefix } from '../../lib/store/entities/did.ts';
import { listChildren } from '../../lib/store/entities/edge.ts';
import { listRses } from '../../lib/store/entities/rse.ts';
import { listRuleIdsOfAccount } from '../../lib/store/entities/rule.ts';
import { listScopes } from '../../lib/store/entities/scope.ts';
import { formatDate } from '../../lib/time.ts';
import { type Holdings, type Inventory, inventoryOf } from './replay.ts';

/** Default values of metadata, and derived metadata. */
const unsaid: Readonly<Record<string, unknown>> = {
  monotonic: false,
  obsolete: false,
  suppressed: false,
  availability: 'AVAILABLE',
  hidden: false,
  is_new: true,
  purge_replicas: true,
  transient: false,
};
const derived = new Set(['scope', 'name', 'created_at', 'updated_at', 'closed_at']);

const namesOf = (letters: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(letters).map(([name, letter]) => [letter, name]));
const states = namesOf(ReplicaState);
const lockStates = namesOf(LockState);

/** Reads the content of some scopes from the table. */
export async function takeInventory(context: Context, scopes: readonly string[]): Promise<Inventory> {
  const { table } = context.store;
  const dids = (await Promise.all(scopes.map((scope) => Array.fromAsync(listByPrefix(table, scope, ''))))).flat();
  const accounts = await Array.fromAsync(listAccounts(table), ({ account }) => account);
  const lists = accounts.map((account) => Array.fromAsync(listRuleIdsOfAccount(table, account)));
  const ids = (await Promise.all(lists)).flat();
  const holdings: Holdings = {
    dids: await Promise.all(dids.map(async (did) => [keyOf(did), await metadataOf(context, did)] as const)),
    edges: (await Promise.all(dids.map((did) => edgesOf(table, did)))).flat(),
    replicas: dids.filter(isFile).flatMap(replicasOf),
    rules: await Promise.all(
      ids.map(async (ruleId) => {
        const { id, bytes: _bytes, ...rule } = await showRule(context, ruleId);
        return Object.assign(rule, { rule_id: id });
      }),
    ),
    datasetLocks: (await Promise.all(dids.map((did) => locksOf(table, did)))).flat(),
    others: [
      ...(await Array.fromAsync(listScopes(table), ({ scope }) => `SCOPE ${scope}`)),
      ...(await Array.fromAsync(listRses(table), ({ rse }) => `RSE ${rse}`)),
      ...accounts.map((account) => `ACCOUNT ${account}`),
    ],
  };
  return inventoryOf(holdings);
}

const keyOf = ({ scope, name }: Did) => `${scope}:${name}`;

async function metadataOf(context: Context, did: Did): Promise<Record<string, unknown>> {
  const shown = Object.entries(await getMetadata(context, did, 'ALL'));
  return Object.fromEntries(
    shown.filter(([key, value]) => {
      if (value === null || derived.has(key) || (key === 'events' && did.type !== 'FILE')) return false;
      return unsaid[key] === undefined || unsaid[key] !== value;
    }),
  );
}

async function edgesOf(table: Table, did: Did): Promise<Record<string, unknown>[]> {
  const { scope, name } = did;
  return Array.fromAsync(listChildren(table, did), ({ child, type, bytes, adler32 }) => {
    const names = { scope, name, child_scope: child.scope, child_name: child.name };
    return { ...names, child_type: type, bytes, adler32 };
  });
}

function replicasOf({ scope, name, account, replicas }: FileDid): Record<string, unknown>[] {
  return Array.from(replicas, ([rse_id, { state, path, tombstone, locks = {}, ...replica }]) => ({
    scope,
    name,
    rse_id,
    state: states[state],
    path,
    tombstone: tombstone === undefined ? null : formatDate(tombstone),
    account: replica.account ?? account,
    locks: Object.fromEntries(
      Object.entries(locks).map(([id, lock]) => [id, { account: lock.account, state: lockStates[lock.state] }]),
    ),
  }));
}

async function locksOf(table: Table, did: Did): Promise<string[]> {
  if (did.type === 'FILE') return [];
  const locks = await getDatasetLocks(table, did);
  return locks.map(({ ruleId, rseId }) => `${keyOf(did)} ${ruleId} ${rseId}`);
}
