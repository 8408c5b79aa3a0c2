import { Readable } from 'node:stream';

import type { EventMessage } from '../contract/schemas/event.ts';
import { log } from '../log.ts';

/** The media type of server-sent events. */
export const eventStreamType = 'text/event-stream';

/** Messages that are sent together; none where somebody has looked and there was nothing. */
export type EventBatch = readonly EventMessage[];

/** Milliseconds after which a reader whose connection has ended is to ask again. */
const reconnectAfter = 1_000;

/** Milliseconds without an event after which the reader gets a sign of life. */
const silence = 15_000;

/**
 * Writes events as the HTML standard has them (9.2 Server-sent events): each with its type and with the place from which a
 * reader goes on that comes back. The first words are sent at once, so that the reader knows that it is heard. No more is
 * asked for than the reader takes, and nothing any more once it has left.
 */
export function openEventStream(batches: AsyncIterable<EventBatch>): Readable {
  const iterator = batches[Symbol.asyncIterator]();
  let heardAt = Date.now();

  const pull = async (): Promise<string | null> => {
    for (;;) {
      const { done, value } = await iterator.next();
      if (done === true || stream.destroyed) return null;
      if (value.length === 0 && Date.now() - heardAt < silence) continue;
      heardAt = Date.now();
      return value.length === 0 ? ':\n\n' : value.map(format).join('');
    }
  };
  const fail = (error: Error) => {
    // That a reader leaves is no failure, and not to be told from one afterwards: what fails is said here.
    if (!stream.destroyed) log.error('events could not be read', { error });
    stream.destroy(error);
  };
  const leave = () => void iterator.return?.().catch(() => {});
  const stream: Readable = new Readable({
    read: () => void pull().then((chunk) => stream.push(chunk), fail),
    destroy: (error, done) => {
      leave();
      done(error);
    },
  });
  stream.push(`retry: ${reconnectAfter}\n\n`);
  return stream;
}

/** JSON text has no line breaks, and neither has a type or a place. */
function format(message: EventMessage): string {
  const id = `id: ${message.place}\n`;
  return 'text' in message ? `${id}event: ${message.type}\ndata: ${message.text}\n\n` : `${id}\n`;
}
