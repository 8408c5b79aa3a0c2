import type { Reaction } from '../domain/values/reaction.ts';
import { log } from '../log.ts';
import { countMetric } from '../metric.ts';
import type { Store } from '../store/open-store.ts';
import { type Consumer, consumers, deleteOwed, getFirstOwed } from '../store/stream/owed-changes.ts';
import type { StreamRecord } from '../store/stream/record.ts';
import { createConsumer } from './create-consumer.ts';
import { isPermanentFailure } from './permanent-failure.ts';

/** Attempts for a single record before it is given up. */
const attemptsPerRecord = 3;

type Follow = ReturnType<typeof createConsumer>;

/** The reactions of each consumer of the stream. */
export type ReactionsOf = Readonly<Record<Consumer, readonly Reaction[]>>;

/**
 * Follows the changes that a table owes its consumers since it was made of a backup, as if its stream delivered them: in their order,
 * at least once. What was followed is deleted. Costs a read unit if nothing is owed.
 *
 * @param mayGoOn Asked before each pack.
 * @returns How many records were followed, and whether nothing is owed any more.
 * @throws Error if the table or the network fails; the changes stay owed.
 */
export async function followOwed(
  store: Store,
  reactions: ReactionsOf,
  mayGoOn: () => boolean = () => true,
): Promise<{ readonly records: number; readonly done: boolean }> {
  const outcomes = await Promise.all(consumers.map((consumer) => followAll(store, { consumer, reactions }, mayGoOn)));
  return {
    records: outcomes.reduce((sum, { records }) => sum + records, 0),
    done: outcomes.every(({ done }) => done),
  };
}

async function followAll(
  store: Store,
  { consumer, reactions }: { readonly consumer: Consumer; readonly reactions: ReactionsOf },
  mayGoOn: () => boolean,
): Promise<{ records: number; done: boolean }> {
  const follow = createConsumer(store, reactions[consumer]);
  let records = 0;
  while (mayGoOn()) {
    const owed = await getFirstOwed(store.begin().table.latest(), consumer);
    if (owed === undefined) return { records, done: true };
    await followInParts(follow, owed.records);
    await takeNote(store, owed);
    records += owed.records.length;
  }
  return { records, done: false };
}

/**
 * Follows records. One that fails again and again does not keep the others from being followed: it is tried alone, and given up
 * after some attempts.
 *
 * @throws Error if the table or the network fails; everything is to be followed again.
 */
async function followInParts(follow: Follow, records: readonly StreamRecord[], attempt = 1): Promise<void> {
  try {
    await follow({ Records: records });
    return;
  } catch (error) {
    if (!isLasting(error)) throw error;
    if (records.length === 1) {
      if (attempt < attemptsPerRecord) return followInParts(follow, records, attempt + 1);
      const { Keys } = records[0]?.dynamodb ?? {};
      const details = { key: `${Keys?.['PK']?.S} / ${Keys?.['SK']?.S}`, error: error as Error };
      log.error('gave up following a change', { ...details, ...countMetric('ChangesGivenUp') });
      return;
    }
  }
  const middle = Math.ceil(records.length / 2);
  await followInParts(follow, records.slice(0, middle));
  await followInParts(follow, records.slice(middle));
}

/** Whether an error will come again: of the change itself, or of an item that the code does not understand; not of the network. */
function isLasting(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isLasting);
  return isPermanentFailure(error) || (error instanceof Error && error.name === 'Error');
}

async function takeNote(store: Store, owed: Parameters<typeof deleteOwed>[0]): Promise<void> {
  try {
    await store.write(async () => deleteOwed(owed, () => new Noted()));
  } catch (error) {
    if (!(error instanceof Noted)) throw error;
  }
}

/** Another process has followed the same changes. */
class Noted extends Error {
  override readonly name = 'Noted';
}
