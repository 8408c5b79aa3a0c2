import { resolveExpression } from '../../lib/domain/rse-expression/resolve-expression.ts';
import { exportFleet } from '../../lib/operations/fleet/export-fleet.ts';
import { importFleet } from '../../lib/operations/fleet/import-fleet.ts';
import { getDistance } from '../../lib/operations/rses/get-distance.ts';
import { deleteDistance, updateDistance } from '../../lib/operations/rses/write-distance.ts';
import { fleetCopies } from '../../lib/store/entities/fleet-version.ts';
import type { Bench } from './bench.ts';

const names = Array.from({ length: 20 }, (_value, index) => `FLEET-${index}`);
const near = names.slice(0, 10);
const [source = '', destination = ''] = names;
const pair = { source, destination };
const row = (from: string) =>
  Object.fromEntries(near.filter((to) => to !== from).map((to, index) => [to, { distance: index }]));
const fleet = {
  rses: Object.fromEntries(names.map((name, index) => [name, { attributes: { tier: index % 3, fleet: 'bench' } }])),
  distances: Object.fromEntries(near.map((from) => [from, row(from)])),
};
/** RSEs with name and usage, and distances. */
const made = 3 * names.length + near.length * (near.length - 1);

/** Operations on many RSEs at once. */
export const fleetBenches: readonly Bench[] = [
  {
    what: 'import 20 RSEs and 90 distances',
    run: (context) => importFleet(context, fleet),
    // Two for the version of the fleet, six for the record of the batch, which names 71 partitions.
    budget: { roundTrips: 7, wru: made + 8 + 2 * fleetCopies },
  },
  {
    what: 'choose RSEs by an expression after a change',
    run: ({ store }) => resolveExpression(store.table, 'tier=1&fleet=bench|FLEET-0'),
    budget: { roundTrips: 2, wru: 0 },
  },
  {
    what: 'choose RSEs by an expression',
    run: ({ store }) => resolveExpression(store.table, 'tier=1&fleet=bench|FLEET-0'),
    budget: { roundTrips: 1, rru: 1, wru: 0 },
  },
  {
    what: 'import the same again: 10 queries of distances',
    run: (context) => importFleet(context, fleet),
    budget: { roundTrips: 2, wru: 0 },
  },
  {
    what: 'export all RSEs and distances',
    run: (context) => exportFleet(context, { distance: true }),
    budget: { roundTrips: 2, wru: 0 },
  },
  {
    what: 'get a distance',
    run: (context) => getDistance(context, pair),
    budget: { roundTrips: 2, rru: 3, wru: 0 },
  },
  {
    what: 'change a distance',
    run: (context) => updateDistance(context, pair, { distance: 7, ranking: null, bidirectional: false }),
    budget: { roundTrips: 3, rru: 3, wru: 1 },
  },
  {
    what: 'delete a distance',
    run: (context) => deleteDistance(context, pair, { bidirectional: false }),
    budget: { roundTrips: 3, rru: 3, wru: 1 },
  },
];
