import { readError, apiUrl } from './client.ts';
import type { AnswerAt, QueryAt } from './contract.ts';
import { parseJson } from './json.ts';
import { session } from './session.ts';

/** An event of the catalogue. */
export type CatalogueEvent = AnswerAt<'GET', '/events'>;

/** Which events are followed. */
export type EventsQuery = QueryAt<'GET', '/events'>;

/** Whether events arrive. */
export type EventsState = 'connecting' | 'live' | 'broken';

/** Receives events and the state of the connection. */
export interface EventsListener {
  readonly onEvent: (event: CatalogueEvent) => void;
  readonly onState?: (state: EventsState) => void;
  /** Called when events begin to arrive behind none that was seen: what was read before may be older than they are. */
  readonly onBegin?: () => void;
}

const retryMs = 1_000;
const longestRetryMs = 15_000;

/**
 * Follows the events of the catalogue, and connects again behind the last one when the answer ends. `EventSource`
 * cannot send a token.
 *
 * @returns the function that ends it.
 */
export function followEvents(query: EventsQuery, listener: EventsListener): () => void {
  const abort = new AbortController();
  void follow(query, listener, abort.signal);
  return () => abort.abort();
}

async function follow(
  query: EventsQuery,
  { onEvent, onState, onBegin }: EventsListener,
  signal: AbortSignal,
): Promise<void> {
  let lastId = '';
  let failures = 0;
  while (!signal.aborted) {
    try {
      onState?.('connecting');
      const response = await fetch(apiUrl('/events', query), {
        headers: {
          'X-Rucio-Auth-Token': session()?.token ?? '',
          ...(lastId === '' ? {} : { 'Last-Event-ID': lastId }),
        },
        signal,
      });
      if (!response.ok || response.body === null) throw await readError(response);
      onState?.('live');
      if (lastId === '') onBegin?.();
      failures = 0;
      for await (const { id, data } of readMessages(response.body)) {
        if (id !== undefined) lastId = id;
        if (data !== '') onEvent(parseJson(data) as CatalogueEvent);
      }
    } catch {
      if (signal.aborted) return;
      // A position that is too old is refused: begin anew.
      if (failures > 0) lastId = '';
      failures += 1;
      onState?.('broken');
    }
    await wait(Math.min(retryMs * 2 ** failures, longestRetryMs), signal);
  }
}

interface Message {
  readonly id: string | undefined;
  readonly data: string;
}

/** Parses server-sent events. */
async function* readMessages(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Message> {
  let rest = '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield readMessage(block);
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

function readMessage(block: string): Message {
  const lines = block.split('\n');
  const field = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart());
  return { id: field('id').at(-1), data: field('data').join('\n') };
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
