import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';

import { forEachLimited } from '../parallel.ts';
import { backOff } from '../retry.ts';
import { networkLimits } from './items/network-limits.ts';

/** An event for a bus. */
export interface BusEvent {
  readonly type: string;
  /** In milliseconds since 1970. */
  readonly time: number;
  /** JSON text. */
  readonly text: string;
}

/** Sends events; throws when one of them was not accepted after several attempts. */
export type EventBus = (events: readonly BusEvent[]) => Promise<void>;

/** EventBridge's limits for one request. */
const maxEntriesPerRequest = 10;
const maxRequestBytes = 256 * 1024;

/** The longest text of an event that fits into a request. */
export const maxBusEventBytes = maxRequestBytes - 100;

/** The limit of parallel requests. */
const maxParallelRequests = 8;

/** How often an event is sent. */
const policy = { attempts: 6, firstPauseMs: 200, longestPauseMs: 3_000 };

/** The source of the events, by which rules of the bus select them. */
const source = 'dapple';

/** Opens an event bus of EventBridge by its name. */
export function openEventBus(
  name: string,
  client = new EventBridgeClient({ ...networkLimits, maxAttempts: 2 }),
): EventBus {
  return async (events) => {
    const entries = events.map(({ type, time, text }) => ({
      EventBusName: name,
      Source: source,
      DetailType: type,
      Time: new Date(time),
      Detail: text,
    }));
    await forEachLimited(splitIntoRequests(entries), maxParallelRequests, (request) => put(client, request));
  };
}

/** Sends the entries of one request; retries with backoff those that were not accepted. */
async function put(client: EventBridgeClient, entries: readonly PutEventsRequestEntry[]): Promise<void> {
  let remaining = entries;
  let reason = '';
  for (let attempt = 0; remaining.length > 0; attempt += 1) {
    if (attempt === policy.attempts)
      throw new Error(`${remaining.length} events were not accepted by the event bus: ${reason}`);
    if (attempt > 0) await backOff(policy, attempt);
    const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: [...remaining] }));
    remaining = remaining.filter((_entry, index) => Entries[index]?.EventId === undefined);
    reason = Entries.find(({ ErrorCode }) => ErrorCode !== undefined)?.ErrorCode ?? '';
  }
}

function splitIntoRequests(entries: readonly PutEventsRequestEntry[]): PutEventsRequestEntry[][] {
  const requests: PutEventsRequestEntry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = sizeOf(entry);
    bytes += size;
    const last = requests.at(-1);
    if (last === undefined || last.length === maxEntriesPerRequest || bytes > maxRequestBytes) {
      requests.push([entry]);
      bytes = size;
    } else last.push(entry);
  }
  return requests;
}

/** The size of an entry by EventBridge's rules: 14 bytes for the time, texts in UTF-8. */
function sizeOf({ Source = '', DetailType = '', Detail = '' }: PutEventsRequestEntry): number {
  return 14 + [Source, DetailType, Detail].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
