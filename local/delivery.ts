import { setTimeout as sleep } from 'node:timers/promises';

import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';

/** A stream consumer, as Lambda invokes it. */
export type StreamHandler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

/** The most attempts for a single record before it is dropped. Lambda would then write to the dead-letter queue. */
const maxAttempts = 10;

/** Delivers records until all are processed or dropped. Like Lambda, it halves a failed batch and retries. */
export class Delivery {
  readonly #handler: StreamHandler;
  readonly #signal: AbortSignal;
  readonly #say: (line: string) => void;
  readonly #pauses: readonly [shortest: number, longest: number];

  /** @param pauses Shortest and longest pause between two attempts in milliseconds; pauses double in between. */
  constructor(
    handler: StreamHandler,
    signal: AbortSignal,
    say: (line: string) => void,
    pauses: readonly [shortest: number, longest: number] = [100, 5_000],
  ) {
    this.#handler = handler;
    this.#signal = signal;
    this.#say = say;
    this.#pauses = pauses;
  }

  /** @param done Called with the sequence number of the last processed record, whenever that advances. */
  async deliver(records: readonly DynamoDBRecord[], done: (sequenceNumber: string) => void): Promise<void> {
    let size = records.length;
    let failures = 0;
    for (let start = 0; start < records.length && !this.#signal.aborted;) {
      const batch = records.slice(start, start + size);
      const count = await this.#attempt(batch).catch((error: unknown) => this.#fail(batch, error, failures));
      if (count === undefined || count === 0) {
        await this.#pause(failures);
        // The attempts of a single record count from its first delivery alone.
        failures = batch.length > 1 ? 0 : failures + 1;
        if (count === undefined) size = Math.max(1, Math.floor(batch.length / 2));
        continue;
      }
      start += count;
      size = Math.min(size * 2, records.length);
      failures = 0;
      const last = records[start - 1]?.dynamodb?.SequenceNumber;
      if (last !== undefined) done(last);
    }
  }

  /** Delivers records; returns how many of them are processed. */
  async #attempt(batch: readonly DynamoDBRecord[]): Promise<number> {
    const { batchItemFailures } = await this.#handler({ Records: [...batch] });
    if (batchItemFailures.length === 0) return batch.length;
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const first = batch.findIndex(({ dynamodb }) => failed.has(dynamodb?.SequenceNumber ?? ''));
    return first === -1 ? batch.length : first;
  }

  /** After too many failures a single record counts as processed. */
  #fail(batch: readonly DynamoDBRecord[], error: unknown, failures: number): number | undefined {
    if (batch.length > 1 || failures + 1 < maxAttempts) return undefined;
    const { Keys } = batch[0]?.dynamodb ?? {};
    this.#say(`gave up following a change of ${Keys?.['PK']?.S} / ${Keys?.['SK']?.S}: ${String(error)}`);
    return 1;
  }

  async #pause(failures: number): Promise<void> {
    const [shortest, longest] = this.#pauses;
    const pauseMs = Math.min(longest, shortest * 2 ** failures);
    await sleep(pauseMs, undefined, { signal: this.#signal, ref: false }).catch(() => {});
  }
}
