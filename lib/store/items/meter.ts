import { AsyncLocalStorage } from 'node:async_hooks';

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** What requests to the table cost, as DynamoDB itself reports it. */
export interface Cost {
  /** Read request units. */
  readonly rru: number;
  /** Write request units, index writes included. */
  readonly wru: number;
  /** Requests sent. */
  readonly requests: number;
  /** Requests that had to wait for another one: how often nothing was under way when one was sent. */
  readonly roundTrips: number;
}

/** Adds up the cost of the requests made while it is current. */
export class Meter {
  #rru = 0;
  #wru = 0;
  #requests = 0;
  #roundTrips = 0;
  #underWay = 0;

  /** Counts a request as sent. */
  sent(): void {
    if (this.#underWay === 0) this.#roundTrips += 1;
    this.#underWay += 1;
    this.#requests += 1;
  }

  /** Counts a request as answered. */
  answered(): void {
    this.#underWay -= 1;
  }

  /** Adds units that were consumed. */
  add({ rru = 0, wru = 0 }: { readonly rru?: number; readonly wru?: number }): void {
    this.#rru += rru;
    this.#wru += wru;
  }

  /** The cost so far. */
  total(): Cost {
    return { rru: this.#rru, wru: this.#wru, requests: this.#requests, roundTrips: this.#roundTrips };
  }
}

const meters = new AsyncLocalStorage<Meter>();

/** The meter of the running request, if there is one. */
export function currentMeter(): Meter | undefined {
  return meters.getStore();
}

/** Gives the rest of the running request a meter of its own. */
export function meterRequest(): Meter {
  const meter = new Meter();
  meters.enterWith(meter);
  return meter;
}

/** Runs something with a meter of its own and returns its result and its cost. */
export async function measure<T>(run: () => Promise<T>): Promise<{ result: T; cost: Cost }> {
  const meter = new Meter();
  const result = await meters.run(meter, run);
  return { result, cost: meter.total() };
}

const reads = /^(Get|BatchGet|Query|TransactGet)/;

interface Capacity {
  readonly CapacityUnits?: number;
}

/** Makes a client ask for the consumed capacity of every request and report it to the current meter. */
export function attachMeter(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const meter = currentMeter();
      const input = args.input as Record<string, unknown>;
      input['ReturnConsumedCapacity'] = 'TOTAL';
      meter?.sent();
      try {
        const result = await next(args);
        const { ConsumedCapacity } = result.output as { ConsumedCapacity?: Capacity | readonly Capacity[] };
        meter?.add({ [reads.test(context.commandName ?? '') ? 'rru' : 'wru']: sum(ConsumedCapacity) });
        return result;
      } finally {
        meter?.answered();
      }
    },
    { step: 'initialize', name: 'meter' },
  );
}

function sum(capacity: Capacity | readonly Capacity[] | undefined): number {
  if (capacity === undefined) return 0;
  const list = Array.isArray(capacity) ? (capacity as readonly Capacity[]) : [capacity as Capacity];
  return list.reduce((total, { CapacityUnits }) => total + (CapacityUnits ?? 0), 0);
}
