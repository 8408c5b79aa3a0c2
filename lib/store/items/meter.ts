import { AsyncLocalStorage } from 'node:async_hooks';

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** The cost of requests to the table, as DynamoDB reports it. */
export interface Cost {
  /** Read request units. */
  readonly rru: number;
  /** Write request units, index writes included. */
  readonly wru: number;
  /** Requests sent. */
  readonly requests: number;
  /** Sequential requests: how often a request was sent while no other was in flight. */
  readonly roundTrips: number;
}

/** Adds up the cost of the requests made while it is current. */
export class Meter {
  #rru = 0;
  #wru = 0;
  #requests = 0;
  #roundTrips = 0;
  #inFlight = 0;

  /** Counts a request as sent. */
  sent(): void {
    if (this.#inFlight === 0) this.#roundTrips += 1;
    this.#inFlight += 1;
    this.#requests += 1;
  }

  /** Counts a request as answered. */
  answered(): void {
    this.#inFlight -= 1;
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

/** Starts a meter for the rest of the running request. */
export function meterRequest(): Meter {
  const meter = new Meter();
  meters.enterWith(meter);
  return meter;
}

/** Runs a function with a meter of its own; returns its result and its cost. */
export async function measure<T>(run: () => Promise<T>): Promise<{ result: T; cost: Cost }> {
  const meter = new Meter();
  const result = await meters.run(meter, run);
  return { result, cost: meter.total() };
}

const readCommands = /^(Get|BatchGet|Query|TransactGet)/;

interface Capacity {
  readonly CapacityUnits?: number;
}

/** Makes a client request the consumed capacity with every request, and add it to the current meter. */
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
        meter?.add({ [readCommands.test(context.commandName ?? '') ? 'rru' : 'wru']: sum(ConsumedCapacity) });
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
