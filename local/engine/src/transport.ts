import type { StreamRecord } from './streams/stream-record.ts';

/** The answer to a request over HTTP. */
export interface Answer {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  /** The items and keys in the body have the plain form (values/item-text.ts); absent: DynamoDB's. */
  readonly hasPlainItems?: boolean;
}

/** The way to an engine, embedded or external. */
export interface Transport {
  /**
   * Sends a request.
   *
   * @param operation For example `PutItem`.
   * @param body JSON text of the input.
   * @throws ConnectionLost if no answer arrives.
   */
  send(operation: string, body: string): Promise<Answer>;
  /**
   * Sends a request whose input is an object already. Printing and parsing it would take 5 to 10% of the processor time of a
   * bulk request. Items and keys of the answer may have the plain form. Absent: only text can be sent.
   *
   * @param input Must not change before the answer. Members may be undefined, which counts as absent.
   */
  sendInput?(operation: string, input: object): Promise<Answer>;
  /**
   * Does what GetRecords does, for a reader in the same thread: nothing is printed, and only what is looked at is parsed. Absent:
   * use GetRecords.
   *
   * @throws EngineError with an iterator that is invalid, or older than 15 minutes.
   */
  readRecords?(input: GetRecordsInput): Promise<RecordsPage>;
}

/** Where a reader of a stream goes on, and how many records it wants at most. */
export interface GetRecordsInput {
  readonly ShardIterator: string;
  readonly Limit?: number;
}

/** The answer of GetRecords. */
export interface RecordsPage {
  readonly Records: readonly StreamRecord[];
  /** Absent at the end of a shard that gets no more records. */
  readonly NextShardIterator?: string;
}

/** The connection broke before the answer arrived. The request may have been carried out. */
export class ConnectionLost extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('the connection to the engine was lost');
  }
}
