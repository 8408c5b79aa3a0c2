import { clock, type Stopwatch } from '../clock.ts';
import { type LeasedTransfer, leaseTransfers } from '../domain/requests/lease-transfers.ts';
import { getFleet } from '../store/entities/rse-fleet.ts';
import type { Rse } from '../store/entities/rse.ts';
import { Lease } from '../store/items/lease.ts';
import type { Store } from '../store/open-store.ts';

/** The duration of a lease. */
export const leaseSeconds = 120;

/** A copy stops this long before its lease ends, since a write takes effect later than it is sent. */
const marginMs = 10_000;

/**
 * Tells how much time is left of leases that were taken together. Its stopwatch also counts the time in which the machine sleeps, so
 * after such a pause the leases are over.
 *
 * @param age A stopwatch that was started before the leases were taken.
 */
export function holdLeases(age: Stopwatch): Lease {
  return new Lease(leaseSeconds * 1_000 - marginMs, age);
}

/** The copies that a mover asks to lease. */
export interface CopyWish {
  /** The value of the attribute `mover` of the destinations. */
  readonly name: string;
  /** Which of these destinations; absent: all. */
  readonly fits?: (rse: Rse) => boolean;
  readonly schemes: readonly string[];
  readonly holder: string;
  readonly limit: number;
}

/** Leases transfers that are due to the RSEs of a mover. */
export async function leaseCopies(
  from: Store,
  { name, fits = () => true, schemes, holder, limit }: CopyWish,
): Promise<LeasedTransfer[]> {
  const store = from.begin();
  const destinations = (await listDestinations(store, name)).filter(fits);
  const wish = { holder, destinations, schemes, mover: name, limit, seconds: leaseSeconds };
  return leaseTransfers({ store, now: clock.now() }, wish);
}

/** The RSEs to which a mover copies: those whose attribute `mover` is its name. */
export async function listDestinations(store: Store, name: string): Promise<Rse[]> {
  const { live } = await getFleet(store.table);
  return live.filter((rse) => rse.attributes['mover'] === name);
}

/** The most transfers that are put off together. */
const putOffAtOnce = 500;

/**
 * Puts off the transfers to RSEs whose attribute `mover` is the name of no mover that runs here, so that their rules say so.
 *
 * @param names Those of the movers that run, here or beside this process.
 */
export async function putOffUnknown(from: Store, names: readonly string[], holder: string): Promise<void> {
  const store = from.begin();
  const { live } = await getFleet(store.table);
  const named = live.filter(({ attributes }) => isText(attributes['mover']) && !names.includes(attributes['mover']));
  for (const [mover, destinations] of Map.groupBy(named, ({ attributes }) => String(attributes['mover']))) {
    const wish = { holder, destinations, mover, isAbsent: true, limit: putOffAtOnce, seconds: leaseSeconds };
    await leaseTransfers({ store, now: clock.now() }, wish);
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
