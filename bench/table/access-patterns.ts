import type { DidElement } from '../../lib/contract/schemas/did.ts';
import { identify } from '../../lib/domain/auth/identify.ts';
import type { Context } from '../../lib/domain/values/context.ts';
import { addScope } from '../../lib/operations/accounts/add-scope.ts';
import { getAccountRecord } from '../../lib/operations/accounts/get-account.ts';
import { listActiveAccounts } from '../../lib/operations/accounts/list-accounts.ts';
import { listOwnRights } from '../../lib/operations/accounts/list-own-rights.ts';
import { listScopeNames } from '../../lib/operations/accounts/list-scopes.ts';
import { logIn } from '../../lib/operations/auth/log-in.ts';
import { addDid, addDids } from '../../lib/operations/dids/add-dids.ts';
import { attachDids } from '../../lib/operations/dids/attach-dids.ts';
import { detachDids } from '../../lib/operations/dids/detach-dids.ts';
import { listFilesOfGuid } from '../../lib/operations/dids/find-by-guid.ts';
import { showDid } from '../../lib/operations/dids/get-did.ts';
import { getMetadata } from '../../lib/operations/dids/get-metadata.ts';
import { listContent, listFiles, listParents } from '../../lib/operations/dids/list-content.ts';
import { listContentHistory } from '../../lib/operations/dids/list-history.ts';
import { listNewDids } from '../../lib/operations/dids/list-new.ts';
import { listScope } from '../../lib/operations/dids/list-scope.ts';
import { search } from '../../lib/operations/dids/search.ts';
import { setDidsMetadataBulk, setMetadata } from '../../lib/operations/dids/set-metadata.ts';
import { setStatus } from '../../lib/operations/dids/set-status.ts';
import { addProtocol } from '../../lib/operations/rses/add-protocol.ts';
import { addRse } from '../../lib/operations/rses/add-rse.ts';
import { listProtocols } from '../../lib/operations/rses/list-protocols.ts';
import { translateLfns } from '../../lib/operations/rses/translate-lfns.ts';
import { updateProtocol } from '../../lib/operations/rses/update-protocol.ts';
import { newToken } from '../../test/support/tokens.ts';
import type { Bench } from './bench.ts';
import { fleetBenches } from './fleet-patterns.ts';
import { indexBenches, seedIndexed } from './index-patterns.ts';
import { publicationBenches, seedPublications } from './publication-patterns.ts';
import { replicaBenches, seedReplicas } from './replica-patterns.ts';
import { requestBenches, seedRequests } from './request-patterns.ts';
import { rseBenches } from './rse-patterns.ts';
import { subscriptionBenches } from './subscription-patterns.ts';
import { seedTrees, treeBenches } from './tree-patterns.ts';

/*
 * The measured operations, on the catalogue that `seed` makes. Except for those marked `grows`, their answers have the same size
 * in every catalogue.
 */

const scope = 'bench';
const bulk = 1_000;
const few = 3;
export const root = { username: 'ddmlab', password: 'secret' };

const file = (name: string): DidElement => ({ scope, name, bytes: 1_048_576, adler32: '0cc737eb' });
const files = (prefix: string, count: number) =>
  Array.from({ length: count }, (_value, index) => file(`${prefix}.${String(index).padStart(6, '0')}`));
const guid = '0123456789abcdef0123456789abcdef';
const did = (name: string) => ({ scope, name });
const dataset = { type: 'DATASET' } as const;
const datasets = (prefix: string, count: number) =>
  Array.from({ length: count }, (_value, index) => ({ scope, name: `${prefix}.${index}`, type: dataset.type }));

const protocol = { impl: 'rucio.rse.protocols.gfal.Default', domains: { wan: { read: 1, write: 1, delete: 1 } } };

/** A dataset of 1,000 files, an empty one, one whose file has a GUID, two containers, and neighbours in the scope. */
export async function seed(asRoot: () => Context): Promise<void> {
  await addScope(asRoot(), { scope, account: 'root' });
  await addRse(asRoot(), 'BENCH_DISK', {});
  await addProtocol(asRoot(), 'BENCH_DISK', 'davs', protocol);
  await addDid(asRoot(), did('full'), { ...dataset, rse: 'BENCH_DISK', dids: files('seeded', bulk) });
  await addDid(asRoot(), did('empty'), dataset);
  await addDid(asRoot(), did('one'), { ...dataset, rse: 'BENCH_DISK', dids: [{ ...file('named'), meta: { guid } }] });
  await addDid(asRoot(), did('above'), { type: 'CONTAINER', dids: [did('full'), did('empty')] });
  await addDid(asRoot(), did('beside'), { type: 'CONTAINER', dids: [did('full')] });
  await addDids(asRoot(), datasets('neighbour', 100));
  await seedTrees(asRoot);
  await seedReplicas(asRoot);
  await seedRequests(asRoot);
  await seedIndexed(asRoot);
  await seedPublications(asRoot);
}

const all = (rows: AsyncIterable<unknown>) => Array.fromAsync(rows);
const find = async (context: Context, parameters: Readonly<Record<string, string>>) => {
  const rows = await all(search(context, scope, parameters, { long: true, recursive: false, explain: false }));
  if (rows.length !== 100) throw new Error(`the search found ${rows.length} instead of 100`);
};
const caller = { account: 'root', identity: root.username };
let token: Promise<string> | undefined;
const getToken = (store: Context['store']) => (token ??= newToken(store, caller));

/** The operations in the order of their runs: some depend on earlier ones. */
export const benches: readonly Bench[] = [
  {
    what: 'make a token, and check it for the first time in a minute',
    run: async (context) => {
      token = newToken(context.store, caller);
      return identify(context.store, await token);
    },
    budget: { roundTrips: 2, rru: 4, wru: 0 },
  },
  {
    what: 'check a token',
    run: async (context) => identify(context.store, await getToken(context.store)),
    budget: { roundTrips: 0, rru: 0, wru: 0 },
  },
  { what: 'log in to an account', run: (context) => logIn(context, { vo: undefined, account: 'root', ...root }) },
  {
    what: 'get a DID',
    run: (context) => showDid(context, did('full'), { dynamic: false }),
    budget: { roundTrips: 1, rru: 1, wru: 0 },
    floor: { rru: 1 },
  },
  { what: 'count a container of 2 datasets now', run: (context) => showDid(context, did('above'), { dynamic: true }) },
  {
    what: 'create a dataset',
    run: (context) => addDid(context, did('created'), dataset),
    budget: { roundTrips: 1, rru: 0, wru: 3 },
    floor: { wru: 3 },
  },
  {
    what: `create ${bulk} datasets`,
    run: (context) => addDids(context, datasets('bulk', bulk)),
    budget: { roundTrips: 3, rru: 0, wru: 3 * bulk + 6 },
    floor: { wru: 3 * bulk },
  },
  {
    what: `attach ${few} files to a dataset`,
    run: (context) => attachDids(context, did('empty'), files('seeded', few), undefined),
    budget: { roundTrips: 4, rru: few + 1 },
    floor: { rru: few + 1, wru: 2 * few + 2 },
  },
  {
    what: `attach ${bulk} files to a dataset`,
    run: (context) => attachDids(context, did('created'), files('seeded', bulk), undefined),
    budget: { roundTrips: 4, rru: bulk + 1, wru: 2 * bulk + 6 },
    exception: { roundTrips: 5, why: 'The parent is folded after the commit: ADR 0003.' },
    floor: { rru: bulk + 1, wru: 2 * bulk + 2 },
  },
  {
    what: `register ${bulk} files on an RSE and attach them`,
    run: (context) => attachDids(context, did('empty'), files('registered', bulk), 'BENCH_DISK'),
    // Besides the files: the batch, the parent, the two lists of new files, the usage of the RSE; that the RSE is not closed (3).
    budget: { roundTrips: 5, rru: bulk + 3, wru: 4 * bulk + 37 },
    floor: { wru: 4 * bulk + 2 },
  },
  {
    what: `detach 100 files`,
    run: (context) => detachDids(context, did('created'), files('seeded', 100)),
  },
  {
    what: 'close a dataset',
    run: (context) => setStatus(context, did('created'), { open: false }),
  },
  {
    what: `list the content of a DID, ${bulk} files`,
    run: (context) => all(listContent(context, did('full'))),
    // 1,000 edges of 256 bytes at most, in units of 4 KB, and the DID.
    budget: { roundTrips: 1, rru: 64, wru: 0 },
    floor: { rru: 40 },
  },
  {
    what: `list the last 10 of the content of a DID, ${bulk} files`,
    run: (context) => all(listContent(context, did('full'), { limit: 10, after: [scope, 'seeded.000989'] })),
    // The DID and one query.
    budget: { roundTrips: 1, rru: 2, wru: 0 },
    floor: { rru: 1 },
  },
  {
    what: `list the files of a container, ${bulk} in 2 datasets`,
    run: (context) => all(listFiles(context, did('above'), false)),
  },
  {
    what: 'list the 2 parents of a DID',
    run: (context) => all(listParents(context, did('full'))),
    budget: { roundTrips: 1, rru: 2, wru: 0 },
    floor: { rru: 1.5 },
  },
  {
    what: 'list the content history of a DID, 100 files',
    run: (context) => all(listContentHistory(context, did('created'))),
  },
  {
    what: 'get the metadata of a DID',
    run: (context) => getMetadata(context, did('full'), 'ALL'),
    budget: { roundTrips: 1, rru: 1, wru: 0 },
    floor: { rru: 1 },
  },
  {
    what: 'set a metadata key of a dataset',
    run: (context) => setMetadata(context, did('full'), { key: 'version', value: 'v1', recursive: false }),
  },
  {
    what: 'set a metadata key of 100 datasets',
    run: (context) =>
      setDidsMetadataBulk(
        context,
        datasets('neighbour', 100).map(({ name }) => ({ scope, name, meta: { version: 'v1' } })),
      ),
  },
  { what: 'find the files of a GUID', run: (context) => all(listFilesOfGuid(context, guid)) },
  { what: 'list the new containers', run: (context) => all(listNewDids(context, 'CONTAINER')) },
  {
    what: 'search 100 of the files by a prefix of their names',
    run: (context) => find(context, { name: 'seeded.0001*', type: 'file' }),
    // 100 items of 256 bytes at most, in units of 4 KB, and one unit a shard.
    budget: { roundTrips: 1, rru: 7 + 4, wru: 0 },
    floor: { rru: 5 },
  },
  {
    what: 'search 100 of the collections by a prefix of their names',
    run: (context) => find(context, { name: 'neighbour*', type: 'collection' }),
    // 100 items of 512 bytes at most, in units of 8 KB.
    budget: { roundTrips: 1, rru: 7, wru: 0 },
    floor: { rru: 3 },
  },
  {
    what: 'list a scope of DIDs, top level',
    run: (context) => all(listScope(context, scope, { recursive: false })),
    grows: 'All DIDs of the scope and all their attachments are read.',
  },
  ...treeBenches,
  ...indexBenches,
  {
    what: `compute the PFNs of ${bulk} files on an RSE`,
    run: (context) => {
      const lfn = files('seeded', bulk).map(({ name }) => `${scope}:${name}`);
      return translateLfns(context, 'BENCH_DISK', { lfn, domain: 'wan', operation: 'read' });
    },
    budget: { roundTrips: 1, rru: 1, wru: 0 },
    floor: { rru: 1 },
  },
  ...rseBenches,
  ...fleetBenches,
  ...replicaBenches,
  ...requestBenches,
  ...subscriptionBenches,
  ...publicationBenches,
  { what: 'list the protocols of an RSE', run: (context) => listProtocols(context, 'BENCH_DISK') },
  {
    what: 'add a protocol to an RSE',
    run: (context) => addProtocol(context, 'BENCH_DISK', 'root', protocol),
  },
  {
    what: 'change a protocol of an RSE',
    run: (context) => {
      const path = { scheme: 'root', hostname: 'localhost', port: '0' };
      return updateProtocol(context, 'BENCH_DISK', path, { prefix: '/bench' });
    },
  },
  { what: 'create a scope', run: (context) => addScope(context, { scope: 'other', account: 'root' }) },
  { what: 'list all scopes', run: (context) => all(listScopeNames(context)) },
  { what: 'get an account', run: (context) => getAccountRecord(context, 'root') },
  {
    what: 'list the own rights at an RSE',
    run: (context) => listOwnRights(context, { rse: 'BENCH_DISK' }),
    budget: { roundTrips: 2, rru: 2, wru: 0 },
  },
  { what: 'list accounts', run: (context) => all(listActiveAccounts(context, {})) },
];
