import type { DynamoDBClient, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';

/** The inputs of requests with an attempt of unknown outcome, and the errors that such requests ended with. */
const uncertain = new WeakSet<object>();

/**
 * Whether a request that failed in the end may have been carried out by an earlier attempt: its answer was lost, or was an
 * error of the server. The SDK repeats such a request, and the repeat may be refused for what the first attempt has done.
 */
export function mayBeDone(error: Error): boolean {
  return uncertain.has(error);
}

/** Makes a client note the attempts whose outcome is unknown. */
export function attachUncertainty(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => (args) =>
      next(args).catch((error: Partial<DynamoDBServiceException>) => {
        if (error.$fault !== 'client') uncertain.add(args.input);
        throw error;
      }),
    { step: 'finalizeRequest', name: 'uncertainty', priority: 'low' },
  );
}

/** Tells {@link mayBeDone} with which error a request ended. */
export function noteEnd(input: object, error: unknown): void {
  if (uncertain.has(input)) uncertain.add(error as Error);
}
