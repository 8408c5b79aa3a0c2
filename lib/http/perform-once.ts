import { replayedHeader } from '../contract/idempotency.ts';
import { errorStatus, RucioError, unavailable } from '../errors.ts';
import { type Claim, findKeptAnswer, type KeptAnswer, toKeptAnswer } from '../store/entities/kept-answer.ts';
import type { Item } from '../store/items/item.ts';
import { KeyBusy, KeyedStore, KeyTaken } from '../store/keyed-store.ts';
import { beginRequest, type Store } from '../store/open-store.ts';
import type { Exchange } from './exchange.ts';
import { isFingerprintOf, readClaim } from './idempotency-key.ts';
import { storeWhile } from './preconditions.ts';

/** What has become of an operation, and what the answer says of that. */
interface Performed {
  readonly decided: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** How often a request is begun anew because what it has found under its key is gone or over. */
const mostBegins = 5;

/** The longest time after which a repeat of a request under way is to be sent again, in seconds. */
const longestWait = 5;

/**
 * Carries out the operation of a request; where the request has a key and has come before, not once more: what was
 * decided then is decided again. A request that was refused has left nothing behind, and is carried out.
 *
 * @param perform Carries it out through a store, and returns what it decides.
 * @throws What `perform` throws; IdempotencyKeyMismatch (422) when the key was another request's; IdempotencyKeyInUse
 *   (409) while the first request is under way; InvalidObject (400) for what is no key.
 */
export async function performOnce(exchange: Exchange, perform: (store: Store) => Promise<unknown>): Promise<Performed> {
  const claim = await readClaim(exchange);
  const begin = () => storeWhile(exchange, beginRequest());
  if (claim === undefined) return { decided: await perform(begin()), headers: {} };
  let found: KeptAnswer | undefined;
  for (let begins = 1; begins <= mostBegins; begins += 1) {
    const attempt = await attemptOnce(new KeyedStore(begin(), claim, found), claim, perform);
    if (!('met' in attempt)) return { decided: attempt.decided, headers: {} };
    found = attempt.met === undefined ? undefined : await toKeptAnswer(attempt.met);
    if (found === undefined || found.until <= Date.now()) continue;
    if (!(await isFingerprintOf(exchange, found.fingerprint))) throw mismatch();
    return { decided: found.answer, headers: { [replayedHeader]: 'true' } };
  }
  throw unavailable();
}

/** What a request has decided, or what it has met under its key. */
type Attempt = { readonly decided: unknown } | { readonly met: Item | undefined };

async function attemptOnce(
  keyed: KeyedStore,
  claim: Claim,
  perform: (store: Store) => Promise<unknown>,
): Promise<Attempt> {
  try {
    await perform(keyed.store);
    return { decided: await keyed.finish() };
  } catch (error) {
    if (error instanceof KeyTaken) return { met: error.item };
    if (error instanceof KeyBusy) throw inUse(error.until);
    const met = isRefusal(error) ? await lookAgain(claim) : undefined;
    if (met === undefined || met['stamp'] === keyed.stamp) throw error;
    return { met };
  }
}

/** What is refused may be so because it was done before. */
async function lookAgain(claim: Claim): Promise<Item | undefined> {
  const { item, busyUntil } = await findKeptAnswer(beginRequest().table, claim);
  if (busyUntil !== undefined && busyUntil > Date.now()) throw inUse(busyUntil);
  return item !== undefined && Number(item['ttl']) * 1_000 > Date.now() ? item : undefined;
}

function isRefusal(error: unknown): boolean {
  return error instanceof RucioError && (error.status ?? errorStatus[error.name]) < 500;
}

function mismatch(): RucioError {
  return new RucioError('IdempotencyKeyMismatch', 'The Idempotency-Key was sent with another request before.');
}

function inUse(until: number): RucioError {
  const seconds = Math.min(longestWait, Math.max(1, Math.ceil((until - Date.now()) / 1_000)));
  return new RucioError('IdempotencyKeyInUse', 'A request with this Idempotency-Key is still under way.', {
    headers: { 'Retry-After': String(seconds) },
  });
}
