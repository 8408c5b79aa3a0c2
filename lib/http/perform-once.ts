import { clock } from '../clock.ts';
import { replayedHeader } from '../contract/idempotency.ts';
import { errorStatus, RucioError, unavailable } from '../errors.ts';
import { type Claim, findKeptAnswer, type KeptAnswer, toKeptAnswer } from '../store/entities/kept-answer.ts';
import type { Item } from '../store/items/item.ts';
import { KeyBusy, KeyedStore, KeyTaken } from '../store/keyed-store.ts';
import { beginRequest, type Store } from '../store/open-store.ts';
import type { Exchange } from './exchange.ts';
import { isFingerprintOf, readClaim } from './idempotency-key.ts';
import { openGuardedStore } from './preconditions.ts';

/** The decision of an operation, and the headers that it adds to the answer. */
interface Performed {
  readonly decided: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** How often a request starts again because the record under its key was deleted or expired meanwhile. */
const maxAttempts = 5;

/** The largest `Retry-After` for a repeat of a request that still runs. */
const maxRetryAfterSeconds = 5;

/**
 * Carries out the operation of a request, at most once for each idempotency key: a repeated request gets the stored
 * decision. A refused request has stored nothing, so its repeat is carried out.
 *
 * @param perform Carries the operation out through a store and returns its decision.
 * @throws What `perform` throws; IdempotencyKeyMismatch (422) if another request used the key; IdempotencyKeyInUse
 *   (409) while the first request runs; InvalidObject (400) for an invalid key.
 */
export async function performOnce(exchange: Exchange, perform: (store: Store) => Promise<unknown>): Promise<Performed> {
  const claim = await readClaim(exchange);
  const begin = () => openGuardedStore(exchange, beginRequest());
  if (claim === undefined) return { decided: await perform(begin()), headers: {} };
  let found: KeptAnswer | undefined;
  for (let attemptNumber = 1; attemptNumber <= maxAttempts; attemptNumber += 1) {
    const attempt = await attemptOnce(new KeyedStore(begin(), claim, found), claim, perform);
    if (!('existing' in attempt)) return { decided: attempt.decided, headers: {} };
    found = attempt.existing === undefined ? undefined : await toKeptAnswer(attempt.existing);
    if (found === undefined || found.until <= clock.now()) continue;
    if (!(await isFingerprintOf(exchange, found.fingerprint))) throw makeMismatchError();
    return { decided: found.answer, headers: { [replayedHeader]: 'true' } };
  }
  throw unavailable();
}

/** The decision of a request, or the record that it found under its key. */
type Attempt = { readonly decided: unknown } | { readonly existing: Item | undefined };

async function attemptOnce(
  keyed: KeyedStore,
  claim: Claim,
  perform: (store: Store) => Promise<unknown>,
): Promise<Attempt> {
  try {
    await perform(keyed.store);
    return { decided: await keyed.finish() };
  } catch (error) {
    if (error instanceof KeyTaken) return { existing: error.item };
    if (error instanceof KeyBusy) throw makeInUseError(error.until);
    const existing = isRefusal(error) ? await rereadRecord(claim) : undefined;
    if (existing === undefined || existing['stamp'] === keyed.stamp) throw error;
    return { existing };
  }
}

/** An operation may have been refused because the same request succeeded before: reads the record again. */
async function rereadRecord(claim: Claim): Promise<Item | undefined> {
  const { item, busyUntil } = await findKeptAnswer(beginRequest().table, claim);
  if (busyUntil !== undefined && busyUntil > clock.now()) throw makeInUseError(busyUntil);
  return item !== undefined && Number(item['ttl']) * 1_000 > clock.now() ? item : undefined;
}

function isRefusal(error: unknown): boolean {
  return error instanceof RucioError && (error.status ?? errorStatus[error.name]) < 500;
}

function makeMismatchError(): RucioError {
  return new RucioError('IdempotencyKeyMismatch', 'The Idempotency-Key was sent with another request before.');
}

function makeInUseError(until: number): RucioError {
  const seconds = Math.min(maxRetryAfterSeconds, Math.max(1, Math.ceil((until - clock.now()) / 1_000)));
  return new RucioError('IdempotencyKeyInUse', 'A request with this Idempotency-Key is still under way.', {
    headers: { 'Retry-After': String(seconds) },
  });
}
