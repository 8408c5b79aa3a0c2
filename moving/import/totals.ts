import { insertAccountUsage } from '../../lib/store/entities/account-usage.ts';
import { insertFleetVersion } from '../../lib/store/entities/fleet-version.ts';
import { insertFreeKeys } from '../../lib/store/entities/free-keys.ts';
import { putIndexState } from '../../lib/store/entities/index-state.ts';
import { insertRseUsage, ownSource } from '../../lib/store/entities/rse-usage.ts';
import type { StateCounts } from '../../lib/store/entities/subscription.ts';
import { insertSubscriptionStates } from '../../lib/store/entities/subscription.ts';
import type { Batch } from './batch.ts';
import type { ImportContext } from './import-context.ts';
import { makeRaceError } from './race.ts';
import type { SumMap } from './sums.ts';

/**
 * Adds what follows from everything else: the usage of RSEs and accounts, the numbers of rules of subscriptions, the state of
 * the metadata index, and the version of the fleet.
 *
 * @param sums Of all ranges.
 */
export function addTotals(batch: Batch, sums: SumMap, { now, rses, index, freeKeys }: ImportContext): void {
  for (const rseId of rses.keys()) {
    const { count: files, bytes: used } = sums.get(['rse', rseId]);
    batch.add(insertRseUsage(rseId, { source: ownSource, used, free: null, files, updatedAt: now }));
  }
  for (const [place, { count: files, bytes }] of sums) {
    if (place[0] === 'account' && files !== 0) batch.add(insertAccountUsage(place[1], place[2], { bytes, files }, now));
  }
  const counts = countRules(sums);
  for (const [place, { count }] of sums) {
    if (place[0] !== 'subscription' || count === 0) continue;
    const [, id, account, name] = place;
    batch.add(insertSubscriptionStates({ account, name }, counts.get(id) ?? {}, makeRaceError));
  }
  if (rses.size > 0) batch.add(insertFleetVersion());
  batch.add(putIndexState(index, undefined));
  for (const [scope, list] of freeKeys) batch.add(insertFreeKeys(scope, index.free?.epoch ?? 1, list));
}

/** The numbers of rules by subscription and state. */
function countRules(sums: SumMap): ReadonlyMap<string, StateCounts> {
  const counts = new Map<string, Record<string, number>>();
  for (const [place, { count }] of sums) {
    if (place[0] !== 'rules') continue;
    const [, id, state] = place;
    const ofId = counts.get(id) ?? {};
    counts.set(id, ofId);
    ofId[state] = Number(count);
  }
  return counts;
}
