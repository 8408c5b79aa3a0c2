import type { ClientRequest } from './client-request.ts';
import type { Reply } from './fleet.ts';
import { isUnknown } from './outcome.ts';
import type { Random } from './random.ts';

/** How often a request with an `Idempotency-Key` is sent. */
const maxAttempts = 6;

/** Sends a request once; `over` is called when it can have no further effect. */
export type SendOnce = (request: ClientRequest, random: Random, over: () => void) => Promise<Reply | undefined>;

/**
 * Sends a request with an `Idempotency-Key` until it is answered, as a careful client does: it must take effect once.
 *
 * @param over Called when no attempt can have a further effect.
 * @returns undefined if it is not known whether it took effect: no attempt was answered, or one was refused while an earlier
 *   one may still take effect.
 */
export async function sendWithKey(
  sendOnce: SendOnce,
  request: ClientRequest,
  random: Random,
  {
    sleep,
    over,
    mayRepeat,
  }: {
    readonly sleep: (milliseconds: number) => Promise<void>;
    readonly over: () => void;
    /** Whether the service still knows the key: a backup does not have it. */
    readonly mayRepeat: () => boolean;
  },
): Promise<Reply | undefined> {
  const headers = { ...request.headers, 'Idempotency-Key': `key ${random.fork('key').next()}` };
  const state = { underWay: 0, hasEnded: false };
  const end = () => {
    state.underWay -= 1;
    if (state.underWay === 0 && state.hasEnded) over();
  };
  let reply: Reply | undefined;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    // Longer than what an instance has sent before it died takes to arrive.
    if (attempt > 1) await sleep(10 ** random.between(2.5, 4.8));
    if (!mayRepeat()) break;
    state.underWay += 1;
    reply = await sendOnce({ ...request, headers }, random.fork(`attempt ${attempt}`), end);
    if (isAnswered(reply)) break;
  }
  state.hasEnded = true;
  if (state.underWay === 0) over();
  if (reply === undefined || !isAnswered(reply)) return undefined;
  return reply.status >= 300 && state.underWay > 0 ? undefined : reply;
}

const isAnswered = (reply: Reply | undefined) =>
  !isUnknown(reply) && reply?.text.includes('"IdempotencyKeyInUse"') !== true;
