import { DynamoDBClient, type DynamoDBClientConfig, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { getSchemaSerdePlugin } from '@smithy/core/schema';

import { RucioError, storageFull, unavailable } from '../../errors.ts';
import type { TableCommand } from './commands.ts';
import { attachConflictRetry } from './conflicts.ts';
import { attachFirstAttempt } from './first-attempt.ts';
import { ItemTooLarge } from './item-too-large.ts';
import { attachLease } from './lease.ts';
import { attachMeter } from './meter.ts';
import { networkLimits } from './network-limits.ts';
import { attachServerTime } from './server-time.ts';
import { PlainProtocol } from './table-protocol.ts';
import { attachUncertainty } from './uncertain-attempts.ts';

/** How clients reach the table; by default AWS's own, or the SDK's `AWS_ENDPOINT_URL_DYNAMODB`. */
export type ClientOptions = Pick<DynamoDBClientConfig, 'endpoint' | 'protocol' | 'requestHandler' | 'signer'>;

let defaults: ClientOptions = {};

/** Sets how clients of this process reach the table, unless their own options say so. */
export function setClientDefaults(options: ClientOptions): void {
  defaults = options;
}

/** Sends requests with plain values to the table. */
export class TableClient {
  /** The client of the SDK behind it. */
  readonly sdk: DynamoDBClient;

  constructor(sdk: DynamoDBClient) {
    this.sdk = sdk;
  }

  async send<Output>(command: TableCommand<object, Output>): Promise<Output> {
    return command.send(this.sdk);
  }
}

/**
 * Creates the client of the table: exact integers, retries with jitter, a meter, and Rucio's exceptions for failures that no
 * caller handles (throttling becomes 503 with Retry-After, which the official client retries).
 */
export function createClient(options: ClientOptions = {}): TableClient {
  const target = options.endpoint === undefined && options.requestHandler === undefined ? defaults : options;
  const client = new DynamoDBClient({
    ...networkLimits,
    ...target,
    protocol: PlainProtocol,
    maxAttempts: 6,
    retryMode: 'standard',
    // The stack of middleware is built once for each kind of request, not for each request.
    cacheMiddleware: true,
  });
  flattenConfiguration(client);
  // It copies every request and answer even without a logger: a tenth of the client's processor time.
  client.middlewareStack.remove('loggerMiddleware');
  if (target.requestHandler !== undefined) for (const name of httpMiddleware) client.middlewareStack.remove(name);
  attachFirstAttempt(client);
  attachMeter(client);
  attachConflictRetry(client);
  attachUncertainty(client);
  attachLease(client);
  const isTold = (target.requestHandler as { readonly tellsTime?: boolean } | undefined)?.tellsTime === true;
  if (target.requestHandler === undefined || isTold) attachServerTime(client, isTold || target.endpoint === undefined);
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        throw toRucioError(error);
      }
    },
    { step: 'initialize', name: 'translateErrors', priority: 'high' },
  );
  return new TableClient(client);
}

/**
 * Replaces the configuration of a client by a copy. The SDK copies it three times for each request, and the one that its
 * constructor puts together takes 6 µs to copy, since V8 holds it as a hash table; a copy of it takes 0.05 µs.
 */
function flattenConfiguration(client: DynamoDBClient): void {
  const configuration = { ...client.config };
  Object.assign(client, { config: configuration });
  client.middlewareStack.use(getSchemaSerdePlugin(configuration));
}

/** Middleware that only HTTP requests need; a sixth of the client's processor time. */
const httpMiddleware = [
  'contentLengthMiddleware',
  'getUserAgentMiddleware',
  'hostHeaderMiddleware',
  'recursionDetectionMiddleware',
];

/** Errors that lib/store handles itself. */
const handledErrors = new Set([
  'ConditionalCheckFailedException',
  'TransactionCanceledException',
  'TransactionConflictException',
]);

/** Errors that a later attempt may not meet. */
const transientErrors = new Set([
  'InternalServerError',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'ThrottlingException',
  'TransactionInProgressException',
]);

function toRucioError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof RucioError || handledErrors.has(error.name)) return error;
  if (!(error instanceof DynamoDBServiceException)) return isNetworkError(error) ? unavailable(error) : error;
  if (transientErrors.has(error.name)) return unavailable(error);
  if (error.name === 'StorageFullException') return storageFull(error.message, error);
  if (error.message.includes('Item size')) return new ItemTooLarge(error);
  return new RucioError('DatabaseException', 'An unknown Database Exception has occurred.', { cause: error });
}

function isNetworkError(error: Error): boolean {
  return 'code' in error || error.name === 'TimeoutError' || error.name === 'AbortError';
}
