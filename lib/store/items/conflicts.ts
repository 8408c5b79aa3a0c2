import { setTimeout as sleep } from 'node:timers/promises';

import { type DynamoDBClient, TransactionConflictException } from '@aws-sdk/client-dynamodb';

import { noteEnd } from './uncertain-attempts.ts';

/** How often a write of one item is sent while transactions conflict with it; with the pauses some two seconds. */
const maxAttempts = 12;

/** The longest pause. A transaction holds its items for 10 to 20 ms. */
const maxPauseMs = 500;

/**
 * Makes a client retry a write of one item that conflicted with a transaction, which the SDK does not do. Such a write had
 * no effect, so the retry is always safe.
 *
 * @throws TransactionConflictException from `send` when the conflicts last two seconds.
 */
export function attachConflictRetry(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const result = await next(args);
          noteEnd(args.input, result.output.$metadata);
          return result;
        } catch (error) {
          noteEnd(args.input, error);
          if (!(error instanceof TransactionConflictException) || attempt === maxAttempts) throw error;
          await sleep(Math.random() * Math.min(maxPauseMs, 10 * 2 ** attempt));
        }
      }
    },
    { step: 'initialize', name: 'retryConflicts', priority: 'low' },
  );
}
