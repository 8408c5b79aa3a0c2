import { RucioError } from '../../errors.ts';
import type { Failures, FailuresOf } from '../../store/entities/login.ts';
import type { AnonymousContext } from '../values/context.ts';

/** So many wrong passwords for one account within this time, in milliseconds, and nobody is let in until it is over. */
const limit = { failures: 10, window: 60_000 };

/**
 * Refuses a log-in that was tried with too many wrong passwords; to be asked before a password is hashed.
 *
 * @throws CannotAuthenticate (429) with `Retry-After`.
 */
export function checkFailures(failures: Failures | undefined, now: number): void {
  if (failures !== undefined && failures.count >= limit.failures && failures.until > now) refuse(failures, now);
}

/**
 * Counts a password that has been checked, before anything is answered. Of attempts that run at the same time at most ten
 * wrong ones are answered; the others, a right one among them too, are told that there were too many.
 *
 * @param known What was counted when the attempt began.
 * @throws CannotAuthenticate (429) with `Retry-After`.
 */
export async function countChecked(
  { store, now }: AnonymousContext,
  { whose, fits, known }: { readonly whose: FailuresOf; readonly fits: boolean; readonly known: Failures | undefined },
): Promise<void> {
  const failures = await store.countAttempt({ whose, isWrong: !fits, now, known, limit });
  if (failures !== undefined) refuse(failures, now);
}

function refuse({ until }: Failures, now: number): never {
  throw new RucioError('CannotAuthenticate', 'Too many wrong passwords for this account. Please try again later.', {
    status: 429,
    headers: { 'Retry-After': String(Math.ceil((until - now) / 1000)) },
  });
}
