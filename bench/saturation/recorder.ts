import type { Answer, Transport } from '../../local/engine/src/transport.ts';
import { placesOf, type Place } from './places.ts';
import type { Touch } from './touch.ts';

interface Capacity {
  readonly CapacityUnits?: number;
  readonly Table?: { readonly CapacityUnits?: number };
  readonly GlobalSecondaryIndexes?: Readonly<Record<string, { readonly CapacityUnits?: number }>>;
}

const indexes = ['GSI1', 'GSI2'] as const;

/**
 * A transport that records what each request takes from each item, as the engine reports it. A request of several items reports one
 * sum for the table and one for each index: it is divided evenly among the items that are in them.
 */
export class Recorder implements Transport {
  readonly #engine: Transport;
  readonly #tableName: string;
  #touches: Touch[] | undefined;

  constructor(engine: Transport, tableName: string) {
    this.#engine = engine;
    this.#tableName = tableName;
  }

  /** Records the load of something while it runs. */
  async record(run: () => Promise<unknown>): Promise<Touch[]> {
    const touches: Touch[] = [];
    this.#touches = touches;
    try {
      await run();
    } finally {
      this.#touches = undefined;
    }
    return touches;
  }

  async send(operation: string, body: string): Promise<Answer> {
    const touches = this.#touches;
    const input = JSON.parse(body) as Record<string, unknown>;
    const { places, isWrite, index } = placesOf(operation, input);
    if (places.length === 0) return this.#engine.send(operation, body);
    const indexed = touches !== undefined && isWrite ? await this.#indexed(places) : new Map<string, string[]>();
    const sent = JSON.stringify({ ...input, ReturnConsumedCapacity: 'INDEXES' });
    const answer = await this.#engine.send(operation, sent);
    if (touches === undefined || answer.status !== 200) return answer;
    const report = (JSON.parse(answer.body) as { ConsumedCapacity?: Capacity | Capacity[] }).ConsumedCapacity;
    const capacities = report === undefined ? [] : [report].flat();
    const add = (where: string, keys: readonly Place[], units: number) => {
      const share = units / Math.max(1, keys.length);
      for (const key of keys)
        touches.push({ where, ...key, ...(isWrite ? { rru: 0, wru: share } : { rru: share, wru: 0 }) });
    };
    let table = 0;
    const ofIndexes = new Map<string, number>();
    for (const { CapacityUnits = 0, Table, GlobalSecondaryIndexes = {} } of capacities) {
      table += Table?.CapacityUnits ?? (index === undefined ? CapacityUnits : 0);
      for (const [name, { CapacityUnits: units = 0 }] of Object.entries(GlobalSecondaryIndexes)) {
        ofIndexes.set(name, (ofIndexes.get(name) ?? 0) + units);
      }
    }
    if (index === undefined) add('table', places, table);
    for (const [name, units] of ofIndexes) {
      const keys = index === name ? places : (indexed.get(name) ?? ['']).map((pk) => ({ pk }));
      add(name, keys, units);
    }
    return answer;
  }

  /** The partitions in the indexes of the items that a request writes, as they are before it or as it puts them. */
  async #indexed(places: readonly Place[]): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for (const { pk, sk, indexPks } of places) {
      let pks = indexPks;
      if (pks === undefined && sk !== undefined) {
        const request = { TableName: this.#tableName, Key: { PK: { S: pk }, SK: { S: sk } } };
        const { body } = await this.#engine.send('GetItem', JSON.stringify(request));
        const item = (JSON.parse(body) as { Item?: Record<string, { S?: string }> }).Item ?? {};
        pks = Object.fromEntries(indexes.map((name) => [name, item[`${name}PK`]?.S]));
      }
      for (const name of indexes) {
        const partition = pks?.[name];
        if (partition !== undefined) found.set(name, [...(found.get(name) ?? []), partition]);
      }
    }
    return found;
  }
}
