import type { Reaction } from '../domain/values/reaction.ts';
import type { Store } from '../store/open-store.ts';
import { type Consumer, consumers, deleteOwed, getFirstOwed } from '../store/stream/owed-changes.ts';
import { createConsumer } from './create-consumer.ts';

/** The reactions of each consumer of the stream. */
export type ReactionsOf = Readonly<Record<Consumer, readonly Reaction[]>>;

/**
 * Follows the changes that a table owes its consumers since it was made of a backup, as if its stream delivered them: in their order,
 * at least once. What was followed is deleted. Costs a read unit if nothing is owed.
 *
 * @param mayGoOn Asked before each pack.
 * @returns How many records were followed, and whether nothing is owed any more.
 * @throws Error if a reaction has to wait; the changes stay owed.
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
    await follow({ Records: owed.records });
    await takeNote(store, owed);
    records += owed.records.length;
  }
  return { records, done: false };
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
