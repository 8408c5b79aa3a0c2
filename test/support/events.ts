/**
 * A reader of `GET /events` like EventSource in browsers: when the answer ends, it reconnects and continues after the last id
 * that it received.
 *
 *     const reader = await follow(asRoot(), `scope=${scope}`);
 *     const [created] = await reader.next(1);
 *     await reader.leave();
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { parseJson } from '../../lib/json.ts';
import { baseUrl } from './run.ts';
import type { Client } from './server.ts';

/** A received event. */
export interface ReadEvent {
  /** Its id: the position in the log. */
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

/** A connection that receives events. */
export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** The last received id. */
  readonly place: string;
  /** The next `count` events. */
  next(count: number): Promise<ReadEvent[]>;
  /** All events until the answer ends, without reconnecting. */
  rest(): Promise<ReadEvent[]>;
  leave(): Promise<void>;
}

/** Delay before reconnecting. */
const reconnectDelayMs = 200;

/** Connects to the stream of events. */
export async function follow(
  client: Client,
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventReader> {
  const leaving = new AbortController();
  let place = '';
  const ask = async (more: Readonly<Record<string, string>>) =>
    fetch(`${await baseUrl()}/events?${query}`, {
      headers: { 'X-Rucio-Auth-Token': await client.token(), Accept: 'text/event-stream', ...more },
      signal: leaving.signal,
    });
  const first = await ask(headers);
  const hear = async function* (answer: Response) {
    for await (const message of messagesOf(answer)) {
      if (message.place !== '') ({ place } = message);
      if (message.data !== '')
        yield { place, type: message.type, event: parseJson(message.data) as ReadEvent['event'] };
    }
  };
  const hearOn = async function* () {
    yield* hear(first);
    for (;;) {
      await sleep(reconnectDelayMs, undefined, { signal: leaving.signal });
      const answer = await ask(place === '' ? headers : { 'Last-Event-ID': place });
      if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
      yield* hear(answer);
    }
  };
  const events = hearOn();
  return {
    status: first.status,
    headers: first.headers,
    get place() {
      return place;
    },
    next: async (count) => {
      const some: ReadEvent[] = [];
      while (some.length < count) some.push((await events.next()).value);
      return some;
    },
    rest: () => Array.fromAsync(hear(first)),
    leave: async () => {
      leaving.abort();
      await events.next().catch(() => undefined);
    },
  };
}

/** The fields of each message; missing ones are empty. */
async function* messagesOf({ body }: Response): AsyncGenerator<Record<'place' | 'type' | 'data', string>> {
  if (body === null) throw new Error('an answer without a body');
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of body) {
    text += decoder.decode(part, { stream: true });
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(message)?.[1] ?? '';
      yield { place: field('id'), type: field('event'), data: field('data') };
    }
  }
}
