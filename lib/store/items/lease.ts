import { AsyncLocalStorage } from 'node:async_hooks';

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

import { clock, type Stopwatch } from '../../clock.ts';
import { unavailable } from '../../errors.ts';

/**
 * How long a writer may send requests: a process may freeze between any two of them, and thaw hours later. It is measured by a
 * stopwatch: a clock that is set back does not prolong it.
 */
export class Lease {
  readonly #durationMs: number;
  #age: Stopwatch;
  #isEnded = false;

  /** @param age Started before others could know of the lease; by default now. */
  constructor(durationMs: number, age = clock.stopwatch()) {
    this.#durationMs = durationMs;
    this.#age = age;
  }

  /** Begins anew. @param age Started before the lease was prolonged. */
  renew(age: Stopwatch): void {
    this.#age = age;
  }

  /** Ends for good. */
  end(): void {
    this.#isEnded = true;
  }

  get isOver(): boolean {
    return this.#isEnded || this.#age.elapsed() > this.#durationMs;
  }
}

const leases = new AsyncLocalStorage<Lease | undefined>();

/** Runs a function whose requests are sent only while a lease is held; undefined: at any time. */
export function withLease<T>(lease: Lease | undefined, run: () => Promise<T>): Promise<T> {
  return leases.run(lease, run);
}

/**
 * Makes a client check the lease before each attempt of a request, retries of the SDK included. The check comes after the
 * signing: a process that freezes after the check and thaws much later sends a signature that AWS rejects.
 */
export function attachLease(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const lease = leases.getStore();
      if (lease?.isOver === true) throw unavailable(new Error('the lease has expired'));
      return next(args);
    },
    { step: 'finalizeRequest', name: 'lease', priority: 'low' },
  );
}
