import { AsyncLocalStorage } from 'node:async_hooks';

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

import { unavailable } from '../../errors.ts';

/**
 * How long the writer of a batch may send its writes. Whoever finds the batch after that gives it up and removes what it
 * has left; what is sent later would stay.
 */
export class Lease {
  #until: number;

  /** @param until In milliseconds since 1970, by the clock of the writer. */
  constructor(until: number) {
    this.#until = until;
  }

  /** The others have been told that it lasts longer. */
  extend(until: number): void {
    this.#until = Math.max(this.#until, until);
  }

  /** Somebody has given the batch up. */
  end(): void {
    this.#until = 0;
  }

  /** @throws DatabaseException (503) when it is over. */
  requireHeld(): void {
    if (Date.now() > this.#until) throw unavailable(new Error('the time of the bulk request is over'));
  }
}

const leases = new AsyncLocalStorage<Lease>();

/** Runs something whose requests are sent while a lease is held, and not afterwards. */
export function withLease<T>(lease: Lease, run: () => Promise<T>): Promise<T> {
  return leases.run(lease, run);
}

/**
 * Makes a client look at the lease for each attempt of a request, those of the SDK included. It looks after the signing:
 * a process that stops between the two and goes on much later sends a signature that AWS does not take any more.
 */
export function attachLease(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      leases.getStore()?.requireHeld();
      return next(args);
    },
    { step: 'finalizeRequest', name: 'lease', priority: 'low' },
  );
}
