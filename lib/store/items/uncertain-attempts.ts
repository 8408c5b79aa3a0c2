import type { DynamoDBClient, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';

/**
 * Marks requests of which an attempt had an unknown outcome: their inputs and, once they have ended, their errors or the metadata of
 * their answers.
 */
const uncertain = new WeakSet<object>();

/**
 * Whether an attempt of a request had no answer, or an error of the server. The SDK repeats such a request. The attempt may have
 * been carried out, so that the repeat was refused for what it has done; or it may be carried out later.
 *
 * @param end What the request ended with: an error, or the metadata of an answer.
 */
export function wasUncertain(end: object): boolean {
  return uncertain.has((end as Error).cause ?? end);
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

/** Tells {@link wasUncertain} what a request ended with. */
export function noteEnd(input: object, end: unknown): void {
  if (uncertain.has(input)) uncertain.add(end as object);
}
