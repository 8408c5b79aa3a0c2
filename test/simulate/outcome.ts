import type { Reply } from './fleet.ts';
import type { Outcome } from './linearize.ts';
import type { Change } from './model.ts';
import { shownDid } from './snapshot.ts';

/** Whether a reply does not tell if the request took effect. */
export const isUnknown = (reply: Reply | undefined) => reply === undefined || reply.status >= 500;

/** The outcome of a change, as far as its reply tells. */
export function outcomeOf(change: Change, reply: Reply | undefined): Outcome {
  if (reply === undefined || isUnknown(reply)) return 'unknown';
  if (reply.status < 300) return { done: change.do === 'look' ? shownDid(reply.text) : '' };
  return { refused: (JSON.parse(reply.text) as { ExceptionClass: string }).ExceptionClass };
}
