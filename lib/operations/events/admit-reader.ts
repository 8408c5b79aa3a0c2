import { env } from '../../env.ts';
import { RucioError } from '../../errors.ts';
import { countEventReader } from '../../store/event-readers.ts';
import type { Store } from '../../store/open-store.ts';

/** A reader that asks for events as they come. */
interface AskingReader {
  readonly account: string;
  readonly now: number;
  /** When the answer ends, in milliseconds since 1970. */
  readonly end: number;
}

/** Answers last longer than a window, so that a reader who comes back at the end of one begins once in a window. */
const windowStepMs = 10_000;

/**
 * Admits a reader of events where their number is limited, as each occupies a function for the whole answer. An account gets
 * half of what there is. Costs two write units an answer.
 *
 * @throws ResourceTemporaryUnavailable (429) if there are too many.
 */
export async function admitReader(store: Store, { account, now, end }: AskingReader): Promise<void> {
  const { eventReaders } = env;
  if (eventReaders === undefined) return;
  const windowMs = Math.max(windowStepMs, end - now - ((end - now) % windowStepMs));
  const limits = { ofAccount: Math.ceil(eventReaders / 2), ofAll: eventReaders };
  const exceeded = await countEventReader(store, { account, now, windowMs, limits });
  if (exceeded === undefined) return;
  const who = exceeded === 'of all' ? 'There are' : `Account ${account} has`;
  const message = `${who} too many readers of events. Please try again later.`;
  const seconds = Math.ceil((windowMs - (now % windowMs)) / 1000);
  throw new RucioError('ResourceTemporaryUnavailable', message, {
    status: 429,
    headers: { 'Retry-After': String(seconds) },
  });
}
