import { tableDefinition } from '../../lib/store/items/table-definition.ts';
import type { Engine } from '../../local/engine/src/engine.ts';
import type { Answer } from '../../local/engine/src/transport.ts';
import { type StreamRecord, tableName, type Values } from './records.ts';
import type { Scheduler } from './scheduler.ts';

interface Due {
  readonly at: number;
  readonly record: StreamRecord;
}

/**
 * The secondary indexes of a table while they lag: a second engine gets the changes late, those of one item in order. It is
 * brought up to date on demand, since most of the time it does not lag.
 */
export class LaggingIndexes {
  readonly #engine: Engine;
  readonly #scheduler: Scheduler;
  readonly #counts: Map<string, number>;
  /** Changes that are not visible yet. */
  #waiting: Due[] = [];
  /** The latest visible change of each item that the engine does not have yet. */
  readonly #due = new Map<string, StreamRecord>();
  readonly #last = new Map<string, number>();
  #lag = 0;
  #until = 0;
  #turn = 0;

  constructor(engine: Engine, scheduler: Scheduler, counts: Map<string, number>) {
    this.#engine = engine;
    this.#scheduler = scheduler;
    this.#counts = counts;
  }

  /** Whether they lag behind the table. */
  get isBehind(): boolean {
    if (this.#waiting.length > 0) this.#settle(this.#scheduler.now);
    return this.#waiting.length > 0;
  }

  /** Delays changes by up to this many milliseconds, for a time. */
  lag(milliseconds: number, duration: number): void {
    this.#lag = milliseconds;
    this.#until = this.#scheduler.now + duration;
  }

  follow(records: readonly StreamRecord[]): void {
    const { now } = this.#scheduler;
    if (this.#waiting.length > 0) this.#settle(now);
    for (const record of records) {
      const { Keys, NewImage, OldImage } = record.dynamodb;
      if (!isIndexed(NewImage) && !isIndexed(OldImage)) continue;
      const key = keyOf(Keys);
      this.#turn = (this.#turn * 7 + 3) % 11;
      const wished = now + (now < this.#until ? (this.#lag * this.#turn) / 10 : 0);
      const at = Math.max(wished, this.#last.get(key) ?? 0);
      this.#last.set(key, at);
      if (at > now) this.#waiting.push({ at, record });
      else this.#due.set(key, record);
    }
  }

  query(input: object): Answer {
    this.#counts.set('index behind', (this.#counts.get('index behind') ?? 0) + 1);
    for (const record of this.#due.values()) this.#write(record);
    this.#due.clear();
    return this.#engine.answer('Query', input);
  }

  /** Ends the lag. */
  catchUp(): void {
    this.#until = 0;
    this.#settle(Number.POSITIVE_INFINITY);
    this.#last.clear();
  }

  close(): void {
    this.#engine.close();
  }

  #settle(until: number): void {
    const left: Due[] = [];
    for (const due of this.#waiting) {
      if (due.at > until) left.push(due);
      else this.#due.set(keyOf(due.record.dynamodb.Keys), due.record);
    }
    this.#waiting = left;
  }

  #write({ dynamodb: { Keys, NewImage } }: StreamRecord): void {
    const gone = NewImage === undefined || !isIndexed(NewImage);
    const [operation, what] = gone ? ['DeleteItem', { Key: Keys }] : ['PutItem', { Item: NewImage }];
    const { status, body } = this.#engine.answer(operation, { TableName: tableName, ...what });
    if (status !== 200) throw new Error(`an index could not follow: ${body}`);
  }
}

const keyOf = (key: Values) => `${key['PK']?.S} ${key['SK']?.S}`;

function isIndexed(item: Values | undefined): boolean {
  return item !== undefined && tableDefinition.indexes.some(({ partitionKey }) => Object.hasOwn(item, partitionKey));
}
