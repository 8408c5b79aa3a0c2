import { setTimeout as sleep } from 'node:timers/promises';

import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';

import { forEachLimited } from '../parallel.ts';

/** What a bus is told of an event. */
export interface BusEvent {
  readonly type: string;
  /** In milliseconds since 1970. */
  readonly time: number;
  /** JSON text. */
  readonly text: string;
}

/** Takes events; throws when one of them was not taken after several attempts. */
export type EventBus = (events: readonly BusEvent[]) => Promise<void>;

/** The limits of one request: entries, and bytes of all of them together. */
const limits = { entries: 10, bytes: 256 * 1024 } as const;

/** The longest text of an event, in bytes, with which a request can be made. */
export const longestBusEvent = limits.bytes - 100;

/** Requests under way at once. */
const parallel = 8;

/** How often an event is handed over, and the longest pause before that is done again, in milliseconds. */
const [attempts, longestPause] = [6, 3_000];

/** Who the events are from, as rules of the bus see it. */
const source = 'dapple';

/** Opens an event bus of EventBridge by its name. */
export function openEventBus(name: string, client = new EventBridgeClient()): EventBus {
  return async (events) => {
    const entries = events.map(({ type, time, text }) => ({
      EventBusName: name,
      Source: source,
      DetailType: type,
      Time: new Date(time),
      Detail: text,
    }));
    await forEachLimited(requestsOf(entries), parallel, (request) => put(client, request));
  };
}

/** Hands over what fits into a request; again what was not taken. */
async function put(client: EventBridgeClient, entries: readonly PutEventsRequestEntry[]): Promise<void> {
  let open = entries;
  let reason = '';
  for (let attempt = 0; open.length > 0; attempt += 1) {
    if (attempt === attempts) throw new Error(`${open.length} events were not taken by the event bus: ${reason}`);
    if (attempt > 0) await sleep(Math.random() * Math.min(longestPause, 100 * 2 ** attempt));
    const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: [...open] }));
    open = open.filter((_entry, index) => Entries[index]?.EventId === undefined);
    reason = Entries.find(({ ErrorCode }) => ErrorCode !== undefined)?.ErrorCode ?? '';
  }
}

function requestsOf(entries: readonly PutEventsRequestEntry[]): PutEventsRequestEntry[][] {
  const requests: PutEventsRequestEntry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = sizeOf(entry);
    bytes += size;
    const last = requests.at(-1);
    if (last === undefined || last.length === limits.entries || bytes > limits.bytes) {
      requests.push([entry]);
      bytes = size;
    } else last.push(entry);
  }
  return requests;
}

/** As EventBridge counts: the time is 14 bytes, texts are UTF-8. */
function sizeOf({ Source = '', DetailType = '', Detail = '' }: PutEventsRequestEntry): number {
  return 14 + [Source, DetailType, Detail].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
