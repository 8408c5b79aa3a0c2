import { AsyncLocalStorage } from 'node:async_hooks';

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

import { unavailable } from '../../errors.ts';

/**
 * The time until which the writer of a batch may send writes. After it other processes abort the batch and remove its
 * writes; a write that is sent later would stay in the table.
 */
export class Lease {
  #endMs: number;

  /** @param endMs Milliseconds since 1970, by the clock of the writer. */
  constructor(endMs: number) {
    this.#endMs = endMs;
  }

  /** Prolongs the lease after the deadline of the batch was renewed in the table. */
  extend(endMs: number): void {
    this.#endMs = Math.max(this.#endMs, endMs);
  }

  /** Ends the lease: another process has aborted the batch. */
  end(): void {
    this.#endMs = 0;
  }

  /** @throws DatabaseException (503) when the lease has expired. */
  requireHeld(): void {
    if (Date.now() > this.#endMs) throw unavailable(new Error('the lease of the bulk request has expired'));
  }
}

const leases = new AsyncLocalStorage<Lease>();

/** Runs a function whose requests are sent only while a lease is held. */
export function withLease<T>(lease: Lease, run: () => Promise<T>): Promise<T> {
  return leases.run(lease, run);
}

/**
 * Makes a client check the lease before each attempt of a request, retries of the SDK included. The check comes after the
 * signing: a process that freezes after the check and thaws much later sends a signature that AWS rejects.
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
