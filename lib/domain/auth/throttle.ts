import { RucioError } from '../../errors.ts';
import type { Counted, Failures } from '../../store/entities/login.ts';
import type { AnonymousContext } from '../values/context.ts';

/** After this many wrong passwords within the window, every log-in is refused until the window ends. */
const limit = { failures: 10, windowMs: 60_000 };

/**
 * Refuses a log-in after too many wrong passwords of its identity, or for its account. Call it before hashing a password.
 *
 * @throws CannotAuthenticate (429) with `Retry-After`.
 */
export function requireNotThrottled(failures: readonly Counted[], now: number): void {
  for (const { known } of failures) {
    if (known !== undefined && known.count >= limit.failures && known.until > now) refuse(known, now);
  }
}

/**
 * Counts a checked password before the answer is sent, at its identity and at its account. Of concurrent attempts at most ten
 * wrong ones get an answer; all others, correct ones included, are refused as too many.
 *
 * @param failures The counts when the attempt began.
 * @throws CannotAuthenticate (429) with `Retry-After`.
 */
export async function countPasswordCheck(
  { store, now }: AnonymousContext,
  { failures, isWrong }: { readonly failures: readonly Counted[]; readonly isWrong: boolean },
): Promise<void> {
  const counts = failures.map((counted) => store.countLoginAttempt({ ...counted, isWrong, now, limit }));
  for (const blocking of await Promise.all(counts)) if (blocking !== undefined) refuse(blocking, now);
}

function refuse({ until }: Failures, now: number): never {
  throw new RucioError('CannotAuthenticate', 'Too many wrong passwords for this account. Please try again later.', {
    status: 429,
    headers: { 'Retry-After': String(Math.ceil((until - now) / 1000)) },
  });
}
