import { replicaQuery } from '../../lib/contract/schemas/replica.ts';
import { leaseWish } from '../../lib/contract/schemas/transfer-lease.ts';
import { newTransferLimit } from '../../lib/contract/schemas/transfer-limit.ts';
import type { Context } from '../../lib/domain/values/context.ts';
import { setLimitOnRse } from '../../lib/operations/accounts/set-account-limits.ts';
import { addDid } from '../../lib/operations/dids/add-dids.ts';
import { attachDids } from '../../lib/operations/dids/attach-dids.ts';
import { getStatus } from '../../lib/operations/monitoring/get-status.ts';
import { addReplicas } from '../../lib/operations/replicas/add-replicas.ts';
import { listDatasetReplicas } from '../../lib/operations/replicas/list-dataset-replicas.ts';
import { listDatasetsPerRse } from '../../lib/operations/replicas/list-datasets-per-rse.ts';
import { listReplicas } from '../../lib/operations/replicas/list-replicas.ts';
import { readReplicaQuery } from '../../lib/operations/replicas/replica-query.ts';
import { updateReplicas } from '../../lib/operations/replicas/update-replicas.ts';
import { getRequest } from '../../lib/operations/requests/get-request.ts';
import { addHeartbeat } from '../../lib/operations/requests/heartbeats.ts';
import { leaseRequests } from '../../lib/operations/requests/lease-requests.ts';
import { listRequests } from '../../lib/operations/requests/list-requests.ts';
import { reportRequests } from '../../lib/operations/requests/report-requests.ts';
import { setTransferLimit } from '../../lib/operations/requests/transfer-limits.ts';
import { addRse } from '../../lib/operations/rses/add-rse.ts';
import { addRules } from '../../lib/operations/rules/add-rules.ts';
import { addSubscription } from '../../lib/operations/subscriptions/add-subscription.ts';
import type { Bench } from './bench.ts';

const scope = 'bench';
const bulk = 1_000;
const wide = 10_000;
const [disk, far, ample, tight] = ['BENCH_DISK', 'BENCH_FAR', 'BENCH_AMPLE', 'BENCH_TIGHT'];
const did = (name: string) => ({ scope, name });
const names = (prefix: string, count: number, first = 0) =>
  Array.from({ length: count }, (_value, index) => did(`${prefix}.${String(first + index).padStart(6, '0')}`));
const files = (prefix: string, count: number, first = 0) =>
  names(prefix, count, first).map((file) => Object.assign(file, { bytes: 1_048_576, adler32: '0cc737eb' }));

/** A dataset of 10,000 files, and one of 1,000 that a rule wants on an RSE that has none of them. */
export async function seedRequests(asRoot: () => Context): Promise<void> {
  await addDid(asRoot(), did('wide'), { type: 'DATASET' });
  for (let first = 0; first < wide; first += bulk) {
    await attachDids(asRoot(), did('wide'), files('wide', bulk, first), disk);
  }
  for (const [rse, bytes] of [
    [far, -1],
    [ample, 1e12],
    [tight, 1e7],
  ] as const) {
    await addRse(asRoot(), rse, {});
    await setLimitOnRse(asRoot(), { account: 'root', rse, bytes });
  }
  await addDid(asRoot(), did('wanted'), { type: 'DATASET', rse: disk, dids: files('wanted', bulk) });
  await addRules(asRoot(), { dids: [did('wanted')], account: 'root', copies: 1, rse_expression: far });
  await addReplicas(asRoot(), { rse: disk, files: files('counted', 1), ignore_availability: false });
  const options = { comments: null, lifetime: undefined, retroactive: false, dry_run: false, priority: undefined };
  const replication_rules = [{ rse_expression: far, copies: 1, activity: 'Debug' }];
  const key = { account: 'root', name: 'bench.counting' };
  subscriptionId = await addSubscription(asRoot(), key, { filter: { scope: ['none'] }, replication_rules, ...options });
}

let subscriptionId: string;

async function expectLines(lines: AsyncIterable<unknown>, expected: number): Promise<void> {
  let found = 0;
  for await (const _line of lines) found += 1;
  if (found !== expected) throw new Error(`${found} lines instead of ${expected}`);
}

const makeRule = (context: Context, rse: string) =>
  addRules(context, { dids: names('wide', 1), account: 'root', copies: 1, rse_expression: rse });

const arrived = (context: Context, count: number, first: number) =>
  updateReplicas(context, {
    rse: far,
    files: names('wanted', count, first).map((file) => Object.assign(file, { state: 'A' as const })),
  });

/** Transfers that a mover has leased and has not reported yet. */
let leased: Awaited<ReturnType<typeof leaseRequests>> = [];

async function lease(context: Context, limit: number): Promise<void> {
  leased = await leaseRequests(context, leaseWish.parse({ holder: 'bench', dst_rse: far, limit }));
  if (leased.length !== limit) throw new Error(`${leased.length} leases instead of ${limit}`);
}

async function report(context: Context, state: 'DONE' | 'QUEUED'): Promise<void> {
  const requests = leased.map(({ scope: own, name, lease: id }) => ({
    scope: own,
    name,
    lease: id,
    state,
    adler32: '0cc737eb',
  }));
  await reportRequests(context, { rse: far, requests });
}

/** Operations on requested copies until they have arrived, and one long list of replicas. */
export const requestBenches: readonly Bench[] = [
  {
    what: 'make a rule that takes little of a quota',
    run: (context) => makeRule(context, ample),
    budget: { roundTrips: 8, rru: 8, wru: 20 },
  },
  {
    // The item of the limit is read already, and written: so rules at the same time cannot exceed it together.
    what: 'make a rule that takes much of a quota',
    run: (context) => makeRule(context, tight),
    budget: { roundTrips: 8, rru: 8, wru: 22 },
  },
  {
    what: `list the replicas of a dataset in one request, ${wide} files`,
    run: (context) =>
      expectLines(
        listReplicas(context, readReplicaQuery(replicaQuery.parse({ dids: [did('wide')] }), {}, false)),
        wide,
      ),
    // The content besides, a unit for 12 files.
    budget: { rru: wide + Math.ceil(wide / 12) + 2, wru: 0 },
    floor: { rru: wide + wide / 25 },
  },
  {
    what: `list what is to be copied to an RSE, ${bulk} files`,
    run: (context) => expectLines(listRequests(context, { src_rse: '*', dst_rse: far, request_states: 'Q' }), bulk),
    // The files, the requests, the rule, and the version of the fleet.
    budget: { roundTrips: 4, rru: bulk + 80 + 2, wru: 0 },
    floor: { rru: bulk + bulk / 20 },
  },
  {
    what: `count the replicas of a dataset where a rule keeps it, ${bulk} files`,
    run: (context) => expectLines(listDatasetReplicas(context, did('wanted'), false), 1),
    budget: { roundTrips: 4, rru: bulk + 80 + 2, wru: 0 },
    floor: { rru: bulk + bulk / 25 },
  },
  {
    what: `list the datasets of an RSE, one of ${bulk} files`,
    run: (context) => expectLines(listDatasetsPerRse(context, far), 1),
    budget: { rru: bulk + 80 + 6, wru: 0 },
    floor: { rru: bulk + bulk / 25 },
  },
  {
    what: 'show what is to be copied of a file',
    run: (context) => getRequest(context, did('wanted.000500'), far),
    budget: { roundTrips: 3, rru: 4, wru: 0 },
  },
  {
    what: 'lease 100 transfers of 1000 that are due',
    run: (context) => lease(context, 100),
    // A file each, the entries of four times as many, the rule, limits, distance and fleet; each write moves its entry.
    budget: { rru: 100 + 50, wru: 300 },
    floor: { wru: 300 },
  },
  {
    what: 'give 100 leased transfers back',
    run: (context) => report(context, 'QUEUED'),
    // Staged, folded, and in the index twice.
    budget: { roundTrips: 8, rru: 200 + 10, wru: 550 },
  },
  {
    what: 'change the state of a replica that a rule waits for',
    run: (context) => arrived(context, 1, 0),
    // A transaction: twice the units of the replica, the rule, and the request with its entry in the index.
    budget: { roundTrips: 3, rru: 3, wru: 8 },
    floor: { wru: 6 },
  },
  {
    what: 'make a rule of a subscription on a file',
    run: (context) =>
      addRules(context, {
        dids: [did('counted.000000')],
        account: 'root',
        copies: 1,
        rse_expression: far,
        subscription_id: subscriptionId,
      }),
    // A transaction of nine items and an entry in the index; the last item counts the rule in its subscription.
    budget: { roundTrips: 8, rru: 8, wru: 24 },
  },
  {
    what: 'change the state of a replica that completes a rule of a subscription',
    run: (context) => updateReplicas(context, { rse: far, files: [{ ...did('counted.000000'), state: 'A' }] }),
    // As of another rule; the subscription by id, and its sums.
    budget: { roundTrips: 4, rru: 4, wru: 10 },
  },
  {
    what: 'set a transfer limit',
    run: (context) => setTransferLimit(context, newTransferLimit.parse({ rse_expression: far, max_transfers: 5 })),
    budget: { roundTrips: 3, rru: 2, wru: 1 },
  },
  {
    what: 'tell operators how the catalogue is',
    run: (context) => getStatus(context),
    budget: { roundTrips: 2, rru: 8, wru: 0 },
  },
  {
    what: 'record a heartbeat',
    run: (context) => addHeartbeat(context, { executable: 'mover', hostname: 'host', pid: 1 }),
    budget: { roundTrips: 2, rru: 1, wru: 1 },
  },
  {
    what: `change the states of ${bulk - 1} replicas that a rule waits for`,
    run: (context) => arrived(context, bulk - 1, 1),
    // Replicas, requests and their entries in the index, each twice: staged, and folded after the commit.
    budget: { roundTrips: 8, rru: bulk + 2, wru: 6 * bulk + 200 },
    floor: { wru: 2 * bulk },
  },
];
