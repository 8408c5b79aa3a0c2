import { type LeasedTransfer, leaseTransfers } from '../domain/requests/lease-transfers.ts';
import { getFleet } from '../store/entities/rse-fleet.ts';
import type { Store } from '../store/open-store.ts';

/** The duration of a lease. */
export const leaseSeconds = 120;

/** Who leases copies, of which kind, and how many. */
export interface CopyWish {
  /** The value of the attribute `mover` of the destinations. */
  readonly name: string;
  readonly schemes: readonly string[];
  readonly holder: string;
  readonly limit: number;
}

/** Leases transfers that are due to the RSEs of a mover. */
export async function leaseCopies(from: Store, { name, schemes, holder, limit }: CopyWish): Promise<LeasedTransfer[]> {
  const store = from.begin();
  const { live } = await getFleet(store.table);
  const destinations = live.filter(({ attributes, deterministic }) => attributes['mover'] === name && deterministic);
  return leaseTransfers({ store, now: Date.now() }, { holder, destinations, schemes, limit, seconds: leaseSeconds });
}
