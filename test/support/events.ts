/**
 * A reader of `GET /events`, as curl is one: it prints what comes, as it comes.
 *
 *     const reader = await follow(asRoot(), `scope=${scope}`);
 *     const [created] = await reader.next(1);
 *     await reader.leave();
 */
import { inject } from 'vitest';

import { parseJson } from '../../lib/json.ts';
import type { Client } from './server.ts';

/** An event as it came. */
export interface ReadEvent {
  /** Its place in the log. */
  readonly place: string;
  readonly type: string;
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly subject: string;
    readonly time: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/** A connection over which events come. */
export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** The next events, as many as are asked for; fewer where the answer ends. */
  next(count: number): Promise<ReadEvent[]>;
  /** All events until the answer ends. */
  rest(): Promise<ReadEvent[]>;
  leave(): Promise<void>;
}

/** Asks for events. */
export async function follow(
  client: Client,
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventReader> {
  const leaving = new AbortController();
  const response = await fetch(`${inject('baseUrl')}/events?${query}`, {
    headers: { 'X-Rucio-Auth-Token': await client.token(), Accept: 'text/event-stream', ...headers },
    signal: leaving.signal,
  });
  if (response.body === null) throw new Error('an answer without a body');
  const messages = messagesOf(response.body);
  const next = async (count: number) => {
    const events: ReadEvent[] = [];
    while (events.length < count) {
      const { done, value } = await messages.next();
      if (done === true) break;
      events.push(value);
    }
    return events;
  };
  return {
    status: response.status,
    headers: response.headers,
    next,
    rest: () => next(Number.POSITIVE_INFINITY),
    leave: async () => {
      leaving.abort();
      await messages.next().catch(() => undefined);
    },
  };
}

async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ReadEvent> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of body) {
    text += decoder.decode(part, { stream: true });
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(message)?.[1] ?? '';
      if (field('data') === '') continue;
      yield { place: field('id'), type: field('event'), event: parseJson(field('data')) as ReadEvent['event'] };
    }
  }
}
