import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';

import { Delivery } from '../../local/delivery.ts';

const record = (number: number): DynamoDBRecord => ({
  dynamodb: { SequenceNumber: String(number), Keys: { PK: { S: 'S#a#0' }, SK: { S: `f${number}` } } },
});
const numbers = (records: readonly DynamoDBRecord[]) => records.map(({ dynamodb }) => Number(dynamodb?.SequenceNumber));

/** Delivers ten records; returns what the handler got, the reported progress, and the messages. */
async function deliver(handler: (given: number[], call: number) => number | undefined) {
  const calls: number[][] = [];
  const said: string[] = [];
  const done: number[] = [];
  const delivery = new Delivery(
    async ({ Records }) => {
      calls.push(numbers(Records));
      const first = handler(numbers(Records), calls.length);
      return { batchItemFailures: first === undefined ? [] : [{ itemIdentifier: String(first) }] };
    },
    new AbortController().signal,
    (line) => said.push(line),
    [1, 2],
  );
  const records = Array.from({ length: 10 }, (_value, index) => record(index));
  await delivery.deliver(records, (sequenceNumber) => done.push(Number(sequenceNumber)));
  return { calls, said, done };
}

describe('delivered records', () => {
  it('are processed if the handler reports no failure', async () => {
    const { calls, done, said } = await deliver(() => undefined);
    expect([calls.length, done, said]).toEqual([1, [9], []]);
  });

  it('are delivered again from where the handler says', async () => {
    const { calls, done } = await deliver((given) => (given[0] === 0 && given.includes(6) ? 6 : undefined));
    expect(calls.map((given) => [given[0], given.at(-1)])).toEqual([
      [0, 9],
      [6, 9],
    ]);
    expect(done).toEqual([5, 9]);
  });

  it('are delivered again for as long as the handler waits', async () => {
    const { calls, done } = await deliver((_given, call) => (call < 4 ? 0 : undefined));
    expect(calls).toHaveLength(4);
    expect(done).toEqual([9]);
  });

  it('are halved after a failure, and one that always fails does not stop the others', async () => {
    const fail = (given: number[]) => {
      if (given.includes(3)) throw new Error('poison');
      return undefined;
    };
    const { calls, done, said } = await deliver(fail);
    expect(calls.filter((given) => given.length === 1 && given[0] === 3)).toHaveLength(10);
    expect(done.at(-1)).toBe(9);
    expect(new Set(calls.flat())).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    expect(said).toEqual(['gave up following a change of S#a#0 / f3: Error: poison']);
  });
});
