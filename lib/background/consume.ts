import type { AnonymousContext } from '../domain/values/context.ts';
import type { Reaction } from '../domain/values/reaction.ts';
import { isUnavailable } from '../errors.ts';
import { log } from '../log.ts';
import { countMetric } from '../metric.ts';
import type { TableChange } from '../store/stream/change.ts';
import { isFaultOfChange } from './fault.ts';

/** How often a change is followed by itself before it is given up. */
const attemptsAlone = 3;

/**
 * Does what follows from committed changes. One reaction that fails does not keep the others from theirs, and a change
 * that cannot be followed does not keep a reaction from the others: it is tried alone, after them, and then given up,
 * which is logged and counted (docs/operations.md).
 *
 * @throws AggregateError of what the reactions threw for reasons that pass: the changes are to be delivered again, to all
 *   of them.
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

const reasonOf = ({ message, cause }: Error) => (cause instanceof Error ? cause.message : message);

async function react(context: AnonymousContext, changes: readonly TableChange[], reaction: Reaction): Promise<void> {
  const wanted = changes.filter(({ kind }) => reaction.kinds.includes(kind));
  if (wanted.length === 0) return;
  try {
    for (const change of await runInParts(context, wanted, reaction)) await runAlone(context, change, reaction);
  } catch (error) {
    const told = { reaction: reaction.name, changes: wanted.length };
    // The changes come again; only what goes on is worth an alarm, and that shows as a lag.
    if (isUnavailable(error)) log.warn('a reaction to changes has to wait', { ...told, because: reasonOf(error) });
    else log.error('a reaction to changes failed', { ...told, error: error as Error });
    throw error;
  }
}

/**
 * Runs a reaction on changes, on halves of them where one cannot be followed.
 *
 * @returns The changes that could not be followed by themselves.
 * @throws What the reaction throws for reasons that pass.
 */
async function runInParts(
  context: AnonymousContext,
  changes: readonly TableChange[],
  reaction: Reaction,
): Promise<TableChange[]> {
  try {
    await reaction.run(context, changes);
    return [];
  } catch (error) {
    if (!isFaultOfChange(error)) throw error;
    if (changes.length === 1) return [...changes];
  }
  const middle = Math.ceil(changes.length / 2);
  const first = await runInParts(context, changes.slice(0, middle), reaction);
  return [...first, ...(await runInParts(context, changes.slice(middle), reaction))];
}

/** Runs a reaction on a change that has failed by itself once, some times more. */
async function runAlone({ store }: AnonymousContext, change: TableChange, reaction: Reaction): Promise<void> {
  for (let attempt = 2; ; attempt += 1) {
    try {
      await reaction.run({ store: store.begin(), now: Date.now() }, [change]);
      return;
    } catch (error) {
      if (!isFaultOfChange(error)) throw error;
      if (attempt < attemptsAlone) continue;
      const { name } = reaction;
      const id = 'id' in change ? { id: change.id } : {};
      log.error('gave up following a change', {
        reaction: name,
        kind: change.kind,
        ...id,
        error: error as Error,
        ...countMetric('ChangesGivenUp'),
      });
      return;
    }
  }
}
