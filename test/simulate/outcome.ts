import type { Reply } from './fleet.ts';
import type { Outcome } from './linearize.ts';

/**
 * Whether a reply does not tell if the request took effect, or the request was not admitted: a wrong clock takes a token for
 * one that has ended.
 */
export const isUnknown = (reply: Reply | undefined) =>
  reply === undefined || reply.status >= 500 || reply.status === 401;

/** A lost file is not attached. The model knows of no replicas, and so cannot tell whether one is lost. */
const lostFile = 'is LOST and cannot be attached';

/**
 * The outcome of a request, as far as its reply tells.
 *
 * @param readAnswer What a successful reply shows, in the words of the model.
 */
export function outcomeOf(reply: Reply | undefined, readAnswer: (reply: Reply) => string): Outcome {
  if (reply === undefined || isUnknown(reply)) return 'unknown';
  if (reply.status < 300) return { done: readAnswer(reply) };
  if (reply.text.includes(lostFile)) return 'unknown';
  return { refused: (JSON.parse(reply.text) as { ExceptionClass: string }).ExceptionClass };
}
