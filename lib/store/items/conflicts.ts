import { setTimeout as sleep } from 'node:timers/promises';

import { type DynamoDBClient, TransactionConflictException } from '@aws-sdk/client-dynamodb';

/** How often a write of one item is sent that meets transactions there; with the pauses some two seconds. */
const mostAttempts = 12;

/** The longest pause, in milliseconds. A transaction holds its items for 10 to 20 ms. */
const longestPause = 500;

/**
 * Makes a client send a write of one item again that met a transaction at it, which the SDK does not do. Such a write had
 * no effect, so that the repeat is always safe.
 *
 * @throws TransactionConflictException from `send` when that goes on for two seconds.
 */
export function attachConflictRetry(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      let earlier = 0;
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await next(args);
        } catch (error) {
          earlier = countAttempts(error, earlier);
          if (!(error instanceof TransactionConflictException) || attempt === mostAttempts) throw error;
          await sleep(Math.random() * Math.min(longestPause, 10 * 2 ** attempt));
        }
      }
    },
    { step: 'initialize', name: 'retryConflicts', priority: 'low' },
  );
}

/** Lets an error say how often the request was sent altogether; whoever asks whether it was repeated has to know. */
function countAttempts(error: unknown, earlier: number): number {
  const { $metadata } = error as { readonly $metadata?: { attempts?: number } };
  const attempts = earlier + ($metadata?.attempts ?? 1);
  if ($metadata !== undefined) $metadata.attempts = attempts;
  return attempts;
}
