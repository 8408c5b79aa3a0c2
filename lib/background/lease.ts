import type { AnonymousContext } from '../domain/values/context.ts';
import { getWork, leaseWork, releaseWork, type Work } from '../store/entities/work.ts';

/** How long a note is somebody's who works on it, in milliseconds; each step begins it anew. */
export const leaseTime = 60_000;

/** After a process died with a note, it is left alone longer each time, at most so long, in milliseconds. */
const longestLease = 3_600_000;

/** Whether somebody is at a note. */
export function isLeased({ leasedUntil = 0 }: Work, now: number): boolean {
  return leasedUntil > now;
}

/**
 * Takes a note before it is worked on: a note that crashes its process is then left alone for a while, and those behind
 * it have their turn.
 *
 * @returns The note as it lies there now; undefined: it is not as it was, or somebody else is at it.
 */
export async function takeLease({ store, now }: AnonymousContext, work: Work): Promise<Work | undefined> {
  let wanted: Work | undefined;
  let taken: Work | undefined;
  await store.write(async (latest) => {
    // The answer to the first write may have been lost.
    const present = taken === undefined ? work : await getWork(latest.latest(), work.key);
    if (taken !== undefined && present?.rev === taken.rev && present.leasedUntil === taken.leasedUntil) return [];
    wanted = present?.rev === work.rev && !isLeased(present, now) ? present : undefined;
    if (wanted === undefined) {
      taken = undefined;
      return [];
    }
    const { failures = 0, rev } = wanted;
    const leasedUntil = Date.now() + Math.min(longestLease, leaseTime * 2 ** failures);
    taken = { ...wanted, leasedUntil, failures: failures + 1, rev: rev + 1 };
    return [leaseWork(wanted, leasedUntil)];
  });
  return taken;
}

/** Gives a note back that there is more to do for. */
export async function endLease({ store }: AnonymousContext, work: Work): Promise<void> {
  await store.write(async (latest) => {
    const present = await getWork(latest.latest(), work.key);
    return present?.rev === work.rev && present.leasedUntil !== undefined ? [releaseWork(present)] : [];
  });
}
