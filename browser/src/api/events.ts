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
  /** Called with the events that have come together, in their order: a bulk registration makes thousands at once. */
  readonly onEvents: (events: readonly CatalogueEvent[]) => void;
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
  { onEvents, onState, onBegin }: EventsListener,
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
      for await (const messages of readMessages(response.body)) {
        const events = messages.filter(({ data }) => data !== '').map(({ data }) => parseJson(data) as CatalogueEvent);
        lastId = messages.findLast(({ id }) => id !== undefined)?.id ?? lastId;
        if (events.length > 0) onEvents(events);
        // Between two parts the page answers its reader.
        await pause();
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

/** Messages that are parsed in one go: some milliseconds on a slow machine. */
const partMessages = 100;

/** Parses server-sent events, as they come, in parts of bounded size. */
async function* readMessages(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<readonly Message[]> {
  let rest = '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop() ?? '';
      for (let i = 0; i < blocks.length; i += partMessages)
        yield blocks.slice(i, i + partMessages).map((block) => readMessage(block));
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

/** Lets everything else that waits have its turn. */
async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
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
