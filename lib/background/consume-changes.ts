import { clock } from '../clock.ts';
import type { AnonymousContext } from '../domain/values/context.ts';
import { isolate } from '../domain/values/isolate.ts';
import type { Reaction } from '../domain/values/reaction.ts';
import { isUnavailable } from '../errors.ts';
import { log } from '../log.ts';
import { countMetric } from '../metric.ts';
import type { TableChange } from '../store/stream/change.ts';
import { isPermanentFailure } from './permanent-failure.ts';

/** Attempts for a single change before it is given up. */
const attemptsPerChange = 3;

/**
 * Runs reactions on committed changes. A reaction that fails does not stop the others. A change that makes a reaction
 * fail for good does not stop the other changes: it is retried alone, after them, and then given up, which is logged
 * and counted (docs/operations/background-work.md).
 *
 * @throws AggregateError of the transient errors of reactions: the stream must deliver the changes again, to all of
 *   them.
 */
export async function consumeChanges(
  context: AnonymousContext,
  changes: readonly TableChange[],
  reactions: readonly Reaction[],
): Promise<void> {
  const outcomes = await Promise.allSettled(reactions.map((reaction) => runReaction(context, changes, reaction)));
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  if (errors.length > 0) throw new AggregateError(errors, 'changes of the table are to be delivered again');
}

const reasonOf = ({ message, cause }: Error) => (cause instanceof Error ? cause.message : message);

async function runReaction(
  context: AnonymousContext,
  changes: readonly TableChange[],
  reaction: Reaction,
): Promise<void> {
  const wanted = changes.filter(({ kind }) => reaction.kinds.includes(kind));
  if (wanted.length === 0) return;
  try {
    for (const change of await runInParts(context, wanted, reaction)) await runAlone(context, change, reaction);
  } catch (error) {
    const details = { reaction: reaction.name, changes: wanted.length };
    // The changes are delivered again. A lasting failure shows as a growing lag, which has an alarm.
    if (isUnavailable(error)) log.warn('a reaction to changes has to wait', { ...details, because: reasonOf(error) });
    else log.error('a reaction to changes failed', { ...details, error: error as Error });
    throw error;
  }
}

/**
 * Runs a reaction on a batch of changes. If a change makes it fail for good, it splits the batch into halves.
 *
 * @returns The changes that failed alone.
 * @throws Transient errors of the reaction.
 */
async function runInParts(
  context: AnonymousContext,
  changes: readonly TableChange[],
  reaction: Reaction,
): Promise<TableChange[]> {
  const failed = await isolate<TableChange, readonly TableChange[]>(changes, {
    run: async (some) => {
      await reaction.run(context, some);
      return [];
    },
    isShared: (error) => !isPermanentFailure(error),
    setAside: async (some, error) => {
      if (!isPermanentFailure(error)) throw error;
      return some;
    },
  });
  return failed.flat();
}

/** Retries a reaction on a single change that has failed alone once. */
async function runAlone({ store }: AnonymousContext, change: TableChange, reaction: Reaction): Promise<void> {
  for (let attempt = 2; ; attempt += 1) {
    try {
      await reaction.run({ store: store.begin(), now: clock.now() }, [change]);
      return;
    } catch (error) {
      if (!isPermanentFailure(error)) throw error;
      if (attempt < attemptsPerChange) continue;
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
