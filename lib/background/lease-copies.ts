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
