import type { Reaction } from '../domain/values/reaction.ts';
import { keepPackedVersion, makePack, packCopies, replacePack } from '../store/entities/fleet-pack.ts';

/**
 * The reaction that keeps the packed fleet of use to processes that start (docs/adr/0010-rse-fleet.md). Costs one read when RSEs have
 * changed; once in about ten changes of a large fleet, a read of the fleet and of the copies, and a write of each copy.
 */
export const packChangedFleet: Reaction = {
  name: 'pack the fleet',
  kinds: ['rse'],
  async run({ store }) {
    const { table } = store.begin();
    const pack = await makePack(table);
    if (pack === undefined) return;
    for (let slot = 0; slot < packCopies; slot += 1) await store.write((latest) => replacePack(latest, slot, pack));
    keepPackedVersion(table, pack.version);
  },
};
