import { addRse } from '../../lib/operations/rses/add-rse.ts';
import { deleteRse } from '../../lib/operations/rses/delete-rse.ts';
import { getRseSettings } from '../../lib/operations/rses/get-rse.ts';
import { listLiveRses } from '../../lib/operations/rses/list-rses.ts';
import { setRseLimit } from '../../lib/operations/rses/rse-limits.ts';
import { setRseAttribute } from '../../lib/operations/rses/set-attribute.ts';
import { updateRse } from '../../lib/operations/rses/update-rse.ts';
import { listRseAccountUsage } from '../../lib/operations/rses/usage-by-account.ts';
import { listUsageHistoryOfRse, listUsageOfRse, recordRseUsage } from '../../lib/operations/rses/usage-of-rse.ts';
import { fleetCopies } from '../../lib/store/entities/fleet-version.ts';
import type { Bench } from './bench.ts';

const rse = 'OTHER_DISK';
const usage = { source: 'storage', used: 1, free: 2, files: 3 };
const all = (rows: AsyncIterable<unknown>) => Array.fromAsync(rows);

/**
 * The name, the RSE, the version of the fleet and its copies; the RSE, the version and all copies in a transaction, at two
 * units each. RSEs change rarely, and the copies are what all other requests read.
 */
const change = { roundTrips: 3, rru: 3 + fleetCopies, wru: 4 + 2 * fleetCopies };

/** Operations on RSEs, from creation to disabling. */
export const rseBenches: readonly Bench[] = [
  { what: 'create an RSE', run: (context) => addRse(context, rse, {}) },
  { what: 'get an RSE', run: (context) => getRseSettings(context, rse), budget: { roundTrips: 2, rru: 2, wru: 0 } },
  {
    what: 'list all RSEs after a change',
    run: (context) => all(listLiveRses(context, {})),
    budget: { roundTrips: 2, rru: 2, wru: 0 },
  },
  {
    what: 'list all RSEs',
    run: (context) => all(listLiveRses(context, {})),
    budget: { roundTrips: 1, rru: 1, wru: 0 },
  },
  {
    what: 'set an attribute of an RSE',
    run: (context) => setRseAttribute(context, { rse, key: 'tier', value: 1 }),
    budget: change,
  },
  {
    what: 'set a limit of an RSE',
    run: (context) => setRseLimit(context, rse, { name: 'MinFreeSpace', value: 1 }),
    budget: change,
  },
  {
    what: 'change a property of an RSE',
    run: (context) => updateRse(context, rse, { volatile: true }),
    budget: change,
  },
  {
    what: 'rename an RSE',
    run: (context) => updateRse(context, rse, { name: 'RENAMED_DISK' }),
    budget: { ...change, wru: change.wru + 4 },
  },
  { what: 'set the usage of an RSE', run: (context) => recordRseUsage(context, 'RENAMED_DISK', usage) },
  {
    what: 'list the usage of an RSE',
    run: (context) => all(listUsageOfRse(context, 'RENAMED_DISK', { per_account: false })),
    budget: { roundTrips: 2, rru: 2, wru: 0 },
  },
  {
    what: 'list the past usage of an RSE, 2 sources',
    run: (context) => all(listUsageHistoryOfRse(context, 'RENAMED_DISK', {})),
  },
  {
    what: 'list what each account uses of an RSE',
    run: (context) => all(listRseAccountUsage(context, 'RENAMED_DISK')),
  },
  { what: 'disable an RSE', run: (context) => deleteRse(context, 'RENAMED_DISK') },
];
