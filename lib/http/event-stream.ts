import { Readable } from 'node:stream';

import { clock } from '../clock.ts';
import type { EventMessage } from '../contract/schemas/event.ts';
import { log } from '../log.ts';

/** The media type of server-sent events. */
export const eventStreamType = 'text/event-stream';

/** Messages that are sent together; empty after a read of the log that found no event. */
export type EventBatch = readonly EventMessage[];

/** Time after which a client reconnects when its connection has ended. */
const reconnectAfterMs = 1_000;

/** Time without an event after which the client gets a comment line that keeps the connection open. */
const keepAliveMs = 15_000;

/**
 * Writes server-sent events as the HTML standard defines them (9.2): each with its type and the position from which a
 * client resumes. The first line is sent at once, so that the client sees the connection open. Back-pressure applies:
 * events are read only as fast as the client takes them, and no more after it disconnects.
 */
export function openEventStream(batches: AsyncIterable<EventBatch>): Readable {
  const iterator = batches[Symbol.asyncIterator]();
  let sentAt = clock.now();

  const pull = async (): Promise<string | null> => {
    for (;;) {
      const { done, value } = await iterator.next();
      if (done === true || stream.destroyed) return null;
      if (value.length === 0 && clock.now() - sentAt < keepAliveMs) continue;
      sentAt = clock.now();
      return value.length === 0 ? ':\n\n' : value.map(format).join('');
    }
  };
  const fail = (error: Error) => {
    // A disconnect is not an error but looks like one later, so real errors are logged here.
    if (!stream.destroyed) log.error('events could not be read', { error });
    stream.destroy(error);
  };
  const stopReading = () => void iterator.return?.().catch(() => {});
  const stream: Readable = new Readable({
    read: () => void pull().then((chunk) => stream.push(chunk), fail),
    destroy: (error, done) => {
      stopReading();
      done(error);
    },
  });
  stream.push(`retry: ${reconnectAfterMs}\n\n`);
  return stream;
}

/** Neither JSON text nor a type or a position contains a line break. */
function format(message: EventMessage): string {
  const id = `id: ${message.place}\n`;
  return 'text' in message ? `${id}event: ${message.type}\ndata: ${message.text}\n\n` : `${id}\n`;
}
