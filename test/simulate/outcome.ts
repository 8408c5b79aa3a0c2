import type { Reply } from './fleet.ts';
import type { Outcome } from './linearize.ts';

/** Whether a reply does not tell if the request took effect. */
export const isUnknown = (reply: Reply | undefined) => reply === undefined || reply.status >= 500;

/**
 * The outcome of a request, as far as its reply tells.
 *
 * @param readAnswer What a successful reply shows, in the words of the model.
 */
export function outcomeOf(reply: Reply | undefined, readAnswer: (reply: Reply) => string): Outcome {
  if (reply === undefined || isUnknown(reply)) return 'unknown';
  if (reply.status < 300) return { done: readAnswer(reply) };
  return { refused: (JSON.parse(reply.text) as { ExceptionClass: string }).ExceptionClass };
}
