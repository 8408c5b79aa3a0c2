import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { consumeChanges } from '../../../lib/background/consume-changes.ts';
import type { Reaction } from '../../../lib/domain/values/reaction.ts';
import { RucioError } from '../../../lib/errors.ts';
import { log } from '../../../lib/log.ts';
import type { TableChange } from '../../../lib/store/stream/change.ts';
import { newStreamedTable, type StreamedTable } from '../../support/stream.ts';

let streamed: StreamedTable;
beforeAll(async () => {
  streamed = await newStreamedTable();
});
afterEach(() => vi.restoreAllMocks());

const context = () => ({ store: streamed.store.begin(), now: Date.now() });
const change = (number: number): TableChange => ({ kind: 'rseUsage', rseId: String(number) });
const numberOf = (some: TableChange) => (some.kind === 'rseUsage' ? Number(some.rseId) : -1);
const changes = Array.from({ length: 50 }, (_value, index) => change(index));

/** A reaction that handles changes in their order and fails at some, with the changes that it has handled. */
function failingAt(poison: (number: number) => Error | undefined) {
  const handled: number[] = [];
  const tried = new Map<number, number>();
  const reaction: Reaction = {
    name: 'fails',
    kinds: ['rseUsage'],
    run: async (_context, some) => {
      for (const number of some.map(numberOf)) {
        tried.set(number, (tried.get(number) ?? 0) + 1);
        const error = poison(number);
        if (error !== undefined) throw error;
        handled.push(number);
      }
    },
  };
  return { reaction, handled, tried };
}

const tooLarge = () => new RucioError('PayloadTooLarge', 'too large');

describe('a change that makes a reaction fail for good', () => {
  it('does not delay others, is retried alone, and is given up with a log record and a metric', async () => {
    const said = vi.spyOn(log, 'error').mockImplementation(() => {});
    const poison = new Set([7, 31]);
    const { reaction, handled } = failingAt((number) => (poison.has(number) ? tooLarge() : undefined));
    await consumeChanges(context(), changes, [reaction]);
    expect([...new Set(handled)].toSorted((a, b) => a - b)).toEqual(
      changes.map(numberOf).filter((number) => !poison.has(number)),
    );
    expect(said.mock.calls.map(([message]) => message)).toEqual(Array(2).fill('gave up following a change'));
    expect(said.mock.calls[0]?.[1]).toMatchObject({ reaction: 'fails', kind: 'rseUsage', ChangesGivenUp: 1 });
  });

  it('is handled if a retry succeeds', async () => {
    const said = vi.spyOn(log, 'error').mockImplementation(() => {});
    let failures = 7;
    const { reaction, handled } = failingAt((number) => {
      if (number !== 3 || failures === 0) return undefined;
      failures -= 1;
      return new TypeError('no such member');
    });
    await consumeChanges(context(), changes, [reaction]);
    expect(handled).toContain(3);
    expect(said).not.toHaveBeenCalled();
  });

  it('does not stop other reactions', async () => {
    vi.spyOn(log, 'error').mockImplementation(() => {});
    const broken = failingAt(() => new TypeError('no such member'));
    const whole = failingAt(() => undefined);
    await consumeChanges(context(), changes, [broken.reaction, whole.reaction]);
    expect(whole.handled).toEqual(changes.map(numberOf));
  });
});

describe('a change that fails with a transient error', () => {
  it.each([
    ['the network', 'failed', () => new Error('ECONNRESET')],
    ['the table', 'has to wait', () => new RucioError('DatabaseException', 'too many requests', { status: 503 })],
    ['a reaction that did part of it', 'failed', () => new AggregateError([tooLarge(), new Error('ECONNRESET')])],
  ])('is delivered again, not given up: %s', async (_what, how, fail) => {
    const said = vi.spyOn(log, how === 'failed' ? 'error' : 'warn').mockImplementation(() => {});
    const { reaction } = failingAt((number) => (number === 7 ? fail() : undefined));
    await expect(consumeChanges(context(), changes, [reaction])).rejects.toThrow('delivered again');
    expect(said.mock.calls.map(([message]) => message)).toEqual([`a reaction to changes ${how}`]);
  });
});
