import { log } from '../../log.ts';
import type { TableChange } from '../../store/stream/change.ts';
import type { AnonymousContext } from '../context.ts';
import type { Reaction } from './reaction.ts';

/**
 * Does what follows from committed changes. One reaction that fails does not keep the others from theirs.
 *
 * @throws AggregateError of what the reactions threw: the changes are to be delivered again, to all of them.
 */
export async function consume(
  context: AnonymousContext,
  changes: readonly TableChange[],
  reactions: readonly Reaction[],
): Promise<void> {
  const outcomes = await Promise.allSettled(reactions.map((reaction) => react(context, changes, reaction)));
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  if (errors.length > 0) throw new AggregateError(errors, 'changes of the table are to be delivered again');
}

async function react(context: AnonymousContext, changes: readonly TableChange[], reaction: Reaction): Promise<void> {
  const wanted = changes.filter(({ kind }) => reaction.kinds.includes(kind));
  if (wanted.length === 0) return;
  try {
    await reaction.run(context, wanted);
  } catch (error) {
    log.error('a reaction to changes failed', {
      reaction: reaction.name,
      changes: wanted.length,
      error: error as Error,
    });
    throw error;
  }
}
