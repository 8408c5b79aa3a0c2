import { AsyncLocalStorage } from 'node:async_hooks';

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

import { unavailable } from '../../errors.ts';

/** The time until which a writer may send requests: a process may freeze between any two of them, and thaw hours later. */
export interface Lease {
  /** Milliseconds since 1970, by the clock of the writer. */
  endMs: number;
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
      if (lease !== undefined && Date.now() > lease.endMs) throw unavailable(new Error('the lease has expired'));
      return next(args);
    },
    { step: 'finalizeRequest', name: 'lease', priority: 'low' },
  );
}
