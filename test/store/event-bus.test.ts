import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsCommandInput,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it } from 'vitest';

import { openEventBus } from '../../lib/store/event-bus.ts';
import { skipPauses } from '../support/pauses.ts';

skipPauses();

/** A bus that refuses what it is told to refuse, as EventBridge does: entry by entry. */
function mockBus(refuses: (entry: PutEventsRequestEntry, attempt: number) => boolean = () => false) {
  const requests: PutEventsRequestEntry[][] = [];
  const attempts = new Map<string, number>();
  const client = new EventBridgeClient();
  mockClient(client)
    .on(PutEventsCommand)
    .callsFake(({ Entries: entries = [] }: PutEventsCommandInput) => {
      requests.push(entries);
      const answers = entries.map((entry) => {
        const attempt = (attempts.get(entry.Detail ?? '') ?? 0) + 1;
        attempts.set(entry.Detail ?? '', attempt);
        return refuses(entry, attempt) ? { ErrorCode: 'ThrottlingException' } : { EventId: 'x' };
      });
      return { Entries: answers };
    });
  const put = openEventBus('bus', client);
  return { requests, attempts, put };
}

const events = (count: number, size = 10) =>
  Array.from({ length: count }, (_value, index) => ({
    type: 'CLOSE',
    time: 1_795_263_698_000,
    text: `${index}`.padEnd(size, 'x'),
  }));

describe('the event bus', () => {
  it('receives each event once, in requests of ten', async () => {
    const { requests, put } = mockBus();
    await put(events(25));
    expect(requests.map((request) => request.length).toSorted((a, b) => a - b)).toEqual([5, 10, 10]);
    expect(new Set(requests.flat().map(({ Detail }) => Detail)).size).toBe(25);
    expect(requests[0]?.[0]).toEqual({
      EventBusName: 'bus',
      Source: 'dapple',
      DetailType: 'CLOSE',
      Time: new Date(1_795_263_698_000),
      Detail: '0xxxxxxxxx',
    });
  });

  it('receives no request of more than 256 KB', async () => {
    const { requests, put } = mockBus();
    await put(events(10, 100_000));
    const sizes = requests.map((request) => request.reduce((sum, { Detail = '' }) => sum + Detail.length, 0));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024);
    expect(requests.flat()).toHaveLength(10);
  });

  it('receives only the refused entries again', async () => {
    const { attempts, put } = mockBus(({ Detail = '' }, attempt) => /^[37]/.test(Detail) && attempt < 3);
    await put(events(10));
    expect([...attempts.values()]).toEqual([1, 1, 1, 3, 1, 1, 1, 3, 1, 1]);
  });

  it('reports an entry that stays refused, so that the changes are delivered again', async () => {
    const { attempts, put } = mockBus(({ Detail = '' }) => Detail.startsWith('4'));
    await expect(put(events(10))).rejects.toThrow('1 events were not accepted by the event bus: ThrottlingException');
    expect(Math.max(...attempts.values())).toBe(6);
  });
});
