import type { Engine } from '../../infra/local/engine/engine.ts';
import type { Answer } from '../../infra/local/engine/transport.ts';
import { tableDefinition } from '../../lib/store/table-definition.ts';
import { type StreamRecord, tableName, type Values } from './records.ts';
import type { Scheduler } from './scheduler.ts';

interface Due {
  readonly at: number;
  readonly record: StreamRecord;
}

/**
 * The secondary indexes of a table, behind it by a time: those of an engine of their own, to which changes come late; of one
 * item in their order.
 */
export class LaggingIndexes {
  readonly #engine: Engine;
  readonly #scheduler: Scheduler;
  readonly #counts: Map<string, number>;
  #waiting: Due[] = [];
  readonly #last = new Map<string, number>();
  #lag = 0;
  #until = 0;
  #turn = 0;

  constructor(engine: Engine, scheduler: Scheduler, counts: Map<string, number>) {
    this.#engine = engine;
    this.#scheduler = scheduler;
    this.#counts = counts;
  }

  /** Lets changes come up to so many milliseconds late, for a time. */
  lag(milliseconds: number, duration: number): void {
    this.#lag = milliseconds;
    this.#until = this.#scheduler.now + duration;
  }

  follow(records: readonly StreamRecord[]): void {
    const { now } = this.#scheduler;
    for (const record of records) {
      const { Keys, NewImage, OldImage } = record.dynamodb;
      if (!isIndexed(NewImage) && !isIndexed(OldImage)) continue;
      const key = JSON.stringify(Keys);
      this.#turn = (this.#turn * 7 + 3) % 11;
      const wished = now + (now < this.#until ? (this.#lag * this.#turn) / 10 : 0);
      const at = Math.max(wished, this.#last.get(key) ?? 0);
      this.#last.set(key, at);
      this.#waiting.push({ at, record });
    }
  }

  query(body: string): Answer {
    this.#apply(this.#scheduler.now);
    if (this.#waiting.length > 0) {
      this.#counts.set('index behind', (this.#counts.get('index behind') ?? 0) + 1);
    }
    return this.#engine.answer('Query', body);
  }

  /** Shows everything from now on. */
  catchUp(): void {
    this.#until = 0;
    this.#apply(Number.POSITIVE_INFINITY);
    this.#last.clear();
  }

  close(): void {
    this.#engine.close();
  }

  #apply(until: number): void {
    const left: Due[] = [];
    for (const due of this.#waiting) {
      if (due.at > until) left.push(due);
      else this.#write(due.record);
    }
    this.#waiting = left;
  }

  #write({ dynamodb: { Keys, NewImage } }: StreamRecord): void {
    const gone = NewImage === undefined || !isIndexed(NewImage);
    const [operation, what] = gone ? ['DeleteItem', { Key: Keys }] : ['PutItem', { Item: NewImage }];
    const { status, body } = this.#engine.answer(operation, JSON.stringify({ TableName: tableName, ...what }));
    if (status !== 200) throw new Error(`an index could not follow: ${body}`);
  }
}

function isIndexed(item: Values | undefined): boolean {
  return item !== undefined && tableDefinition.indexes.some(({ partitionKey }) => Object.hasOwn(item, partitionKey));
}
