import { type DynamoDBClient, TransactionConflictException } from '@aws-sdk/client-dynamodb';

import { retry } from '../../retry.ts';
import { noteEnd } from './uncertain-attempts.ts';

/**
 * How often a write of one item is sent while transactions conflict with it; with the pauses some two seconds. A transaction
 * holds its items for 10 to 20 ms.
 */
const policy = { attempts: 12, firstPauseMs: 20, longestPauseMs: 500 };

/**
 * Makes a client retry a write of one item that conflicted with a transaction, which the SDK does not do. Such a write had
 * no effect, so the retry is always safe.
 *
 * @throws TransactionConflictException from `send` when the conflicts last two seconds.
 */
export function attachConflictRetry(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => (args) => {
      const send = async () => {
        try {
          const result = await next(args);
          noteEnd(args.input, result.output.$metadata);
          return result;
        } catch (error) {
          noteEnd(args.input, error);
          throw error;
        }
      };
      return retry(send, policy, (error) => error instanceof TransactionConflictException);
    },
    { step: 'initialize', name: 'retryConflicts', priority: 'low' },
  );
}
