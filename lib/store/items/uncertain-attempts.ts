import { type DynamoDBClient, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';

/** Inputs of requests of which an attempt may have been carried out without telling so. */
const uncertainInputs = new WeakSet<object>();

const uncertainErrors = new WeakSet<object>();

/**
 * Whether a request that failed in the end may have been carried out by an earlier attempt: its answer was lost, or was an
 * error of the server. The SDK repeats such a request, and the repeat may be refused for what the first attempt has done.
 */
export function mayBeDone(error: Error): boolean {
  return uncertainErrors.has(error);
}

/** Makes a client notice attempts whose outcome is unknown, for {@link mayBeDone}. */
export function attachUncertainty(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        const isRefused = error instanceof DynamoDBServiceException && error.$fault === 'client';
        if (!isRefused) uncertainInputs.add(args.input);
        throw error;
      }
    },
    { step: 'finalizeRequest', name: 'noteUncertainAttempts', priority: 'low' },
  );
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (uncertainInputs.has(args.input)) uncertainErrors.add(error as Error);
        throw error;
      }
    },
    { step: 'initialize', name: 'tellUncertainAttempts', priority: 'low' },
  );
}
