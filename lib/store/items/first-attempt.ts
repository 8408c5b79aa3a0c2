import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { retryMiddleware, retryMiddlewareOptions } from '@smithy/core/retry';

/**
 * Makes a client pass a request to the SDK's retries only when its first attempt has failed; they then count that attempt. The
 * SDK makes an error in advance for each request, and to capture its stack takes 20 µs where many asynchronous functions wait: a
 * twelfth of the processor time of a recursive list.
 */
export function attachFirstAttempt(client: DynamoDBClient): void {
  const { config } = client;
  const retryOf = retryMiddleware(config);
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const strategy = await config.retryStrategy();
      if (!('acquireInitialRetryToken' in strategy)) throw new TypeError('the SDK has another strategy of retries');
      const token = await strategy.acquireInitialRetryToken('');
      try {
        const answer = await next(args);
        // Successes refill the budget of retries.
        strategy.recordSuccess(token);
        return answer;
      } catch (error) {
        let isFirst = true;
        const retry = retryOf<Awaited<ReturnType<typeof next>>['output']>(async (again) => {
          if (!isFirst) return next(again);
          isFirst = false;
          throw error;
        }, context);
        return retry(args);
      }
    },
    // Under the name of the SDK's own, which it replaces.
    retryMiddlewareOptions,
  );
}
