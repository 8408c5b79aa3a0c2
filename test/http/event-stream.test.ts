import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { type EventBatch, openEventStream } from '../../lib/http/event-stream.ts';
import { log } from '../../lib/log.ts';
import { passTime } from '../support/pass-time.ts';

afterEach(() => {
  vi.useRealTimers();
});

const event = (index: number) => ({ place: `1795263698000.${index}`, type: 'CLOSE', text: `{"n":${index}}` });

async function* batches(...all: EventBatch[]): AsyncGenerator<EventBatch> {
  for (const batch of all) yield batch;
}

describe('a stream of events', () => {
  it('sends the reconnect time, then each event with its position, and ends with the last one', async () => {
    const stream = openEventStream(batches([event(0), event(1)], [], [event(2)]));
    expect(await text(stream)).toBe(
      'retry: 1000\n\n' +
        'id: 1795263698000.0\nevent: CLOSE\ndata: {"n":0}\n\n' +
        'id: 1795263698000.1\nevent: CLOSE\ndata: {"n":1}\n\n' +
        'id: 1795263698000.2\nevent: CLOSE\ndata: {"n":2}\n\n',
    );
  });

  it('sends the position even without an event', async () => {
    const stream = openEventStream(batches([{ place: '1795263698000.7' }], [event(8)]));
    expect(await text(stream)).toBe(
      'retry: 1000\n\nid: 1795263698000.7\n\nid: 1795263698000.8\nevent: CLOSE\ndata: {"n":8}\n\n',
    );
  });

  it('sends a keep-alive comment after 15 s without an event, not before', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    async function* quiet(): AsyncGenerator<EventBatch> {
      yield [];
      passTime(14_999);
      yield [];
      passTime(1);
      yield [];
      yield [];
    }
    expect(await text(openEventStream(quiet()))).toBe('retry: 1000\n\n:\n\n');
  });

  it('applies back-pressure, and reads nothing after the client disconnected', async () => {
    let asked = 0;
    let isOver = false;
    async function* endless(): AsyncGenerator<EventBatch> {
      try {
        for (;;) {
          asked += 1;
          yield [{ ...event(asked), text: 'x'.repeat(10_000) }];
        }
      } finally {
        isOver = true;
      }
    }
    const stream = openEventStream(endless());
    stream.read();
    await sleep(20);
    // At most a buffer of 64 KB is filled ahead of the reader.
    expect(asked).toBeLessThan(10);
    const before = asked;
    stream.destroy();
    await sleep(20);
    expect([asked, isOver]).toEqual([before, true]);
  });

  it('is cut off if the events cannot be read, so that it does not look complete', async () => {
    async function* broken(): AsyncGenerator<EventBatch> {
      yield [event(0)];
      throw new Error('the table is gone');
    }
    const said = vi.spyOn(log, 'error').mockReturnValue();
    await expect(text(openEventStream(broken()))).rejects.toThrow('the table is gone');
    expect(said).toHaveBeenCalledOnce();
    said.mockRestore();
  });
});
