import { DynamoDBClient, type DynamoDBClientConfig, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

import { RucioError, unavailable } from '../../errors.ts';
import { narrow } from '../../integer.ts';
import { attachConflictRetry } from './conflicts.ts';
import { attachLease } from './lease.ts';
import { attachMeter } from './meter.ts';
import { TableProtocol } from './table-protocol.ts';

/** How clients reach the table; by default AWS's own, or the SDK's `AWS_ENDPOINT_URL_DYNAMODB`. */
export type ClientOptions = Pick<DynamoDBClientConfig, 'endpoint' | 'protocol' | 'requestHandler' | 'signer'>;

let defaults: ClientOptions = {};

/** Sets how clients of this process reach the table unless they say it themselves. */
export function setClientDefaults(options: ClientOptions): void {
  defaults = options;
}

/**
 * The document client: exact integers, retries with jitter, metered, and failing with Rucio's exceptions where the
 * caller of a request cannot be helped (design: 503 with Retry-After after throttling, which the official client
 * retries).
 */
export function createClient(options: ClientOptions = {}): DynamoDBDocumentClient {
  const way = options.endpoint === undefined && options.requestHandler === undefined ? defaults : options;
  const client = new DynamoDBClient({ protocol: TableProtocol, ...way, maxAttempts: 6, retryMode: 'standard' });
  // Without a logger, it makes a copy of every request and answer all the same: a tenth of the client's processor time.
  client.middlewareStack.remove('loggerMiddleware');
  if (way.requestHandler !== undefined) for (const name of forHttp) client.middlewareStack.remove(name);
  attachMeter(client);
  attachConflictRetry(client);
  attachLease(client);
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        throw translate(error);
      }
    },
    { step: 'initialize', name: 'translateErrors', priority: 'high' },
  );
  return DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: toNumber },
  });
}

/** Middleware that matters only where requests go over HTTP; a sixth of the client's processor time. */
const forHttp = [
  'contentLengthMiddleware',
  'getUserAgentMiddleware',
  'hostHeaderMiddleware',
  'recursionDetectionMiddleware',
];

/** Reads a number of the table: exact integers as they are. */
export function toNumber(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number : narrow(BigInt(text));
}

/** Failures that the code of lib/store reads itself. */
const verdicts = new Set([
  'ConditionalCheckFailedException',
  'TransactionCanceledException',
  'TransactionConflictException',
]);

const passing = new Set([
  'InternalServerError',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'ThrottlingException',
  'TransactionInProgressException',
]);

function translate(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof RucioError || verdicts.has(error.name)) return error;
  if (!(error instanceof DynamoDBServiceException)) return isNetworkError(error) ? unavailable(error) : error;
  if (passing.has(error.name)) return unavailable(error);
  if (error.message.includes('Item size')) return tooLarge(error);
  return new RucioError('DatabaseException', 'An unknown Database Exception has occurred.', { cause: error });
}

/** The answer to a write that would make an item larger than the engine takes. */
export function tooLarge(cause: unknown): RucioError {
  return new RucioError('PayloadTooLarge', 'The item grows beyond the 400 KB that the table can carry.', { cause });
}

function isNetworkError(error: Error): boolean {
  return 'code' in error || error.name === 'TimeoutError' || error.name === 'AbortError';
}
