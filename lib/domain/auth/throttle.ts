import { RucioError } from '../../errors.ts';
import { countFailure, type Failures } from '../../store/entities/login.ts';
import type { AnonymousContext } from '../context.ts';

/** So many wrong passwords for one account within this time, in milliseconds, and nobody is let in until it is over. */
const limit = { failures: 10, window: 60_000 };

/**
 * Refuses a login for an account that was tried with too many wrong passwords; to be asked before a password is hashed.
 *
 * @throws CannotAuthenticate (429) with `Retry-After`.
 */
export function checkFailures(failures: Failures | undefined, now: number): void {
  if (failures === undefined || failures.count < limit.failures || failures.until <= now) return;
  throw new RucioError('CannotAuthenticate', 'Too many wrong passwords for this account. Please try again later.', {
    status: 429,
    headers: { 'Retry-After': String(Math.ceil((failures.until - now) / 1000)) },
  });
}

/** Counts a wrong password; a login that succeeds writes nothing. */
export async function recordFailure({ store, now }: AnonymousContext, account: string): Promise<void> {
  await store.write(async (latest) => [await countFailure(latest, account, now, limit.window)]);
}
