import { clock } from '../clock.ts';
import type { AnonymousContext } from '../domain/values/context.ts';
import { getWork, leaseWork, releaseWork, type Work } from '../store/entities/work.ts';

/** Duration of the lease of a task; each step renews it. */
export const leaseMs = 60_000;

/** The lease doubles with each crash of the process that holds it, up to this duration. */
const maxLeaseMs = 3_600_000;

/** Whether a process holds the lease of a task. */
export function isLeased({ leasedUntil = 0 }: Work, now: number): boolean {
  return leasedUntil > now;
}

/**
 * Takes the lease of a task before its steps run. So a task that crashes its process is not retried at once, and the
 * tasks behind it get their turn.
 *
 * @returns The task as it is stored now; undefined: it was changed, or another process holds the lease.
 */
export async function takeLease({ store, now }: AnonymousContext, work: Work): Promise<Work | undefined> {
  let free: Work | undefined;
  let taken: Work | undefined;
  await store.write(async (latest) => {
    // On a retry: the first write may have succeeded although its answer was lost.
    const present = taken === undefined ? work : await getWork(latest.latest(), work.key);
    if (taken !== undefined && present?.rev === taken.rev && present.leasedUntil === taken.leasedUntil) return [];
    free = present?.rev === work.rev && !isLeased(present, now) ? present : undefined;
    if (free === undefined) {
      taken = undefined;
      return [];
    }
    const { failures = 0, rev } = free;
    const leasedUntil = clock.now() + Math.min(maxLeaseMs, leaseMs * 2 ** failures);
    taken = { ...free, leasedUntil, failures: failures + 1, rev: rev + 1 };
    return [leaseWork(free, leasedUntil)];
  });
  return taken;
}

/** Releases the lease of a task that has more steps. */
export async function endLease({ store }: AnonymousContext, work: Work): Promise<void> {
  await store.write(async (latest) => {
    const present = await getWork(latest.latest(), work.key);
    return present?.rev === work.rev && present.leasedUntil !== undefined ? [releaseWork(present)] : [];
  });
}
