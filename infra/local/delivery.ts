import { setTimeout as sleep } from 'node:timers/promises';

import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';

/** What reads the stream, as Lambda calls it. */
export type StreamHandler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

/** How often a single record is tried before it is given up; Lambda then writes to the dead-letter queue. */
const attempts = 10;

/** Hands over records until they are done with: what failed is tried again, in halves, as Lambda does. */
export class Delivery {
  readonly #handler: StreamHandler;
  readonly #signal: AbortSignal;
  readonly #say: (line: string) => void;
  readonly #pauses: readonly [shortest: number, longest: number];

  /** @param pauses Milliseconds between two attempts: they double from the one to the other. */
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

  /** @param done Told the sequence number of the last record that is done with, whenever there is a later one. */
  async deliver(records: readonly DynamoDBRecord[], done: (sequenceNumber: string) => void): Promise<void> {
    let size = records.length;
    let failures = 0;
    for (let start = 0; start < records.length && !this.#signal.aborted;) {
      const batch = records.slice(start, start + size);
      const count = await this.#attempt(batch).catch((error: unknown) => this.#fail(batch, error, failures));
      if (count === undefined || count === 0) {
        await this.#pause(failures);
        // The attempts of a single record are counted from its first.
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

  /** Hands over records; answers how many of them are done with. */
  async #attempt(batch: readonly DynamoDBRecord[]): Promise<number> {
    const { batchItemFailures } = await this.#handler({ Records: [...batch] });
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const first = batch.findIndex(({ dynamodb }) => failed.has(dynamodb?.SequenceNumber ?? ''));
    return first === -1 ? batch.length : first;
  }

  /** Answers that a single record is done with once it has failed too often. */
  #fail(batch: readonly DynamoDBRecord[], error: unknown, failures: number): number | undefined {
    if (batch.length > 1 || failures + 1 < attempts) return undefined;
    const { Keys } = batch[0]?.dynamodb ?? {};
    this.#say(`gave up following a change of ${Keys?.['PK']?.S} / ${Keys?.['SK']?.S}: ${String(error)}`);
    return 1;
  }

  async #pause(failures: number): Promise<void> {
    const [shortest, longest] = this.#pauses;
    const milliseconds = Math.min(longest, shortest * 2 ** failures);
    await sleep(milliseconds, undefined, { signal: this.#signal, ref: false }).catch(() => {});
  }
}
