import { RucioError } from '../../errors.ts';
import type { Failures, FailuresOf } from '../../store/entities/login.ts';
import type { AnonymousContext } from '../values/context.ts';

/** After this many wrong passwords within the window, every log-in to the account is refused until the window ends. */
const limit = { failures: 10, windowMs: 60_000 };

/**
 * Refuses a log-in after too many wrong passwords. Call it before hashing a password.
 *
 * @throws CannotAuthenticate (429) with `Retry-After`.
 */
export function requireNotThrottled(failures: Failures | undefined, now: number): void {
  if (failures !== undefined && failures.count >= limit.failures && failures.until > now) refuse(failures, now);
}

/**
 * Counts a checked password before the answer is sent. Of concurrent attempts at most ten wrong ones get an answer; all
 * others, correct ones included, are refused as too many.
 *
 * @param known The count when the attempt began.
 * @throws CannotAuthenticate (429) with `Retry-After`.
 */
export async function countPasswordCheck(
  { store, now }: AnonymousContext,
  { whose, fits, known }: { readonly whose: FailuresOf; readonly fits: boolean; readonly known: Failures | undefined },
): Promise<void> {
  const failures = await store.countLoginAttempt({ whose, isWrong: !fits, now, known, limit });
  if (failures !== undefined) refuse(failures, now);
}

function refuse({ until }: Failures, now: number): never {
  throw new RucioError('CannotAuthenticate', 'Too many wrong passwords for this account. Please try again later.', {
    status: 429,
    headers: { 'Retry-After': String(Math.ceil((until - now) / 1000)) },
  });
}
