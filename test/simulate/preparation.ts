import { collections, requestOf } from './actions.ts';
import type { Deployment } from './deployment.ts';
import { expiringScope, requestOfExpiring } from './expiring-dids.ts';
import { homeRse, pool, rses } from './names.ts';
import { otherAccount } from './replication-actions.ts';
import { hostOf } from './storage.ts';

/** Creates the catalogue from which every history starts: scopes, RSEs, and empty collections. */
export async function prepareCatalogue(deployment: Deployment, scope: string): Promise<void> {
  for (const name of [scope, expiringScope]) {
    await deployment.requestSuccess({ method: 'POST', path: `/scopes/root/${name}` });
  }
  for (const rse of rses) {
    await deployment.requestSuccess({ method: 'POST', path: `/rses/${rse}`, body: {} });
    await allow(deployment, 'root', rse);
  }
  for (const [type, names] of [
    ['DATASET', pool.expiringDatasets],
    ['CONTAINER', pool.expiringContainers],
  ] as const) {
    for (const name of names.slice(0, -1)) {
      await deployment.requestSuccess(requestOfExpiring(scope, { kind: 'make', name, type, lifetime: null }));
    }
  }
  const [first = ''] = pool.expiringDatasets;
  await deployment.requestSuccess(
    requestOfExpiring(scope, { kind: 'fill', name: first, children: pool.expiringFiles }),
  );
  for (const name of collections) await deployment.requestSuccess(requestOf(scope, { do: 'create', names: [name] }));
}

/** Creates the account that shares rules with root, and switches the reaper on for the RSEs of rules. */
export async function prepareReplication(deployment: Deployment): Promise<void> {
  const body = { type: 'USER', email: 'other@example.org' };
  await deployment.requestSuccess({ method: 'POST', path: `/accounts/${otherAccount}`, body });
  for (const rse of rses) await allow(deployment, otherAccount, rse);
  for (const rse of rses) await prepareStorage(deployment, rse);
}

/** Tells how an RSE is reached, and switches the reaper and the movers on for all but the RSE that files are registered on. */
export async function prepareStorage(deployment: Deployment, rse: string): Promise<void> {
  const protocol = { impl: 'rucio.rse.protocols.webdav.Default', hostname: hostOf(rse), port: 443, prefix: '/' };
  const path = `/rses/${rse}`;
  await deployment.requestSuccess({ method: 'POST', path: `${path}/protocols/davs`, body: { ...protocol, domains } });
  if (rse === homeRse) return;
  for (const [attribute, value] of [
    ['reaper', true],
    ['greedyDeletion', true],
    ['mover', 'webdav'],
  ] as const) {
    await deployment.requestSuccess({ method: 'POST', path: `${path}/attr/${attribute}`, body: { value } });
  }
}

const domains = {
  lan: { read: 1, write: 1, delete: 1 },
  wan: { read: 1, write: 1, delete: 1, third_party_copy_read: 1, third_party_copy_write: 1 },
};

/** Lets an account use all of an RSE. */
export async function allow(deployment: Deployment, account: string, rse: string): Promise<void> {
  const path = `/accounts/${account}/limits/local/${rse}`;
  const reply = await deployment.requestAny({ method: 'POST', path, body: { bytes: -1 } });
  // The account may have been deleted.
  if (reply.status >= 300 && account === 'root') throw new Error(`${path}: ${reply.status} ${reply.text}`);
}
