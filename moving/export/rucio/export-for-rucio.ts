import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describeFleet } from '../../../lib/domain/rses/describe-fleet.ts';
import { toJson } from '../../../lib/json.ts';
import { listAccounts } from '../../../lib/store/entities/account.ts';
import { listRses, type Rse } from '../../../lib/store/entities/rse.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { scanEntities, type Scanned } from '../../../lib/store/portable/scan-entities.ts';
import { LineFile } from '../line-file.ts';
import { ReplicaRequests } from './replica-requests.ts';
import { requestsOf } from './requests-of.ts';

/** The files of requests, in the order in which a Rucio takes them. */
const requestFiles = ['1-replicas', '2-collections', '3-attachments', '4-rules'] as const;

/** The file with what Rucio's `POST /import` takes. */
const importFile = 'import.json';

interface RucioExport {
  readonly store: Store;
  /** Must be empty, or not exist. */
  readonly folder: string;
  /** In milliseconds since 1970. */
  readonly since: number;
}

/**
 * Writes what a Rucio takes over REST: RSEs, distances and accounts as a document for `POST /import`, and as lists of
 * requests what was added since a time.
 *
 * @returns Lines that say what was written.
 * @throws Error if the folder is not empty.
 */
export async function exportForRucio({ store, folder, since }: RucioExport): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new Error(`The folder ${folder} is not empty. Name a new one.`);
  const rses = new Map<string, Rse>();
  for await (const rse of listRses(store.table)) rses.set(rse.id, rse);
  await writeFile(join(folder, importFile), `${toJson(await describeForImport(store))}\n`, { mode: 0o600, flag: 'wx' });
  const files = await Promise.all(requestFiles.map((name) => LineFile.create(folder, name)));
  const [replicaFile, collections, attachments, rules] = files as [LineFile, LineFile, LineFile, LineFile];
  const replicas = new ReplicaRequests(rses, (request) => replicaFile.add(toJson(request)));
  const fileOf = { did: collections, edge: attachments, rule: rules };
  for await (const found of scanEntities(store)) {
    if (found.kind === 'did' && found.did.type === 'FILE') await replicas.add(found.did, since);
    else if (createdAt(found) >= since)
      for (const request of requestsOf(found)) await fileOf[found.kind].add(toJson(request));
  }
  await replicas.end();
  const written = await Promise.all(files.map((file) => file.end()));
  return [
    `${rses.size} RSEs in ${importFile}`,
    ...written.map(({ file, records }) => `${records} requests in ${file}`),
  ];
}

function createdAt(found: Scanned): number {
  return found.kind === 'did'
    ? found.did.createdAt
    : found.kind === 'edge'
      ? found.edge.createdAt
      : found.rule.createdAt;
}

/** Without identities: Rucio would remove those that it has and the list does not name, and passwords cannot be told. */
async function describeForImport(store: Store): Promise<object> {
  const { rses, distances } = await describeFleet(store.table, { distance: true });
  const accounts = (await Array.fromAsync(listAccounts(store.table)))
    .filter(({ status }) => status !== 'DELETED')
    .map(({ account, email }) => ({ account, email }));
  return { rses, distances, accounts };
}
