import type { JobPlan } from './plan.ts';

/** When jobs are due; all times in milliseconds since 1970. A clock that was ahead and is set back delays none of them. */
export class DueTimes {
  readonly #after = new Map<JobPlan, number>();

  /** @param startedAt The begin of the last run. A job that never ran has missed nothing. */
  constructor(plans: readonly JobPlan[], startedAt: (plan: JobPlan) => number | undefined, now: number) {
    for (const plan of plans) this.#after.set(plan, startedAt(plan) ?? now);
  }

  /** The time from which on a job is due: a past one if it was due while the server was off. */
  next(plan: JobPlan, now: number): number {
    // A run in the future was dated by a clock that was ahead.
    const after = Math.min(this.#after.get(plan) ?? now, now);
    this.#after.set(plan, after);
    return plan.nextAfter(after);
  }

  /** Notes that a job has run. */
  done(plan: JobPlan, now: number): void {
    this.#after.set(plan, now);
  }
}
