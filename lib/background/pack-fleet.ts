import type { Reaction } from '../domain/values/reaction.ts';
import { packCopies, packFleet } from '../store/entities/fleet-pack.ts';

/**
 * The reaction that keeps the packed fleet of use to processes that start (docs/adr/0010-rse-fleet.md). Costs two reads for each
 * copy of the pack when RSEs have changed; once in about ten changes of a large fleet, the fleet and a write of each copy.
 */
export const packChangedFleet: Reaction = {
  name: 'pack the fleet',
  kinds: ['rse'],
  async run({ store }) {
    for (let slot = 0; slot < packCopies; slot += 1) await store.write((latest) => packFleet(latest, slot));
  },
};
