import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';

import type { ErrorName } from '../lib/errors.ts';
import type { Config } from './config.ts';

interface GatewayError {
  readonly type: ResponseType;
  /** Absent: the gateway's default status. */
  readonly status?: number;
  readonly name: ErrorName;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const notFound = { status: 404, name: 'NotFound', message: 'The requested URL was not found on the server.' } as const;
const denied = { name: 'AccessDenied', message: 'The gateway refuses this request.' } as const;

const overloaded = {
  status: 503,
  name: 'DatabaseException',
  message: 'Currently there are too many requests for the Rucio servers to handle. Please try again in a few minutes.',
  headers: { 'Retry-After': '1' },
} as const;

/** The errors that the gateway answers itself, with the class, message and status that the functions use. */
const gatewayErrors: readonly GatewayError[] = [
  // The gateway takes an unknown path for an unsigned call with AWS credentials.
  { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, ...notFound },
  { type: ResponseType.RESOURCE_NOT_FOUND, ...notFound },
  { type: ResponseType.ACCESS_DENIED, ...denied },
  { type: ResponseType.WAF_FILTERED, ...denied },
  {
    type: ResponseType.REQUEST_TOO_LARGE,
    status: 413,
    name: 'PayloadTooLarge',
    message: 'The request is larger than 6 MB. Please send it in parts.',
  },
  {
    type: ResponseType.THROTTLED,
    // The official client retries a 503, but not a 429.
    ...overloaded,
  },
  {
    // A function at the limit of concurrent executions, or one that failed: clients repeat a 503 only.
    type: ResponseType.INTEGRATION_FAILURE,
    ...overloaded,
  },
  { type: ResponseType.INTEGRATION_TIMEOUT, name: 'RucioException', message: 'The request took too long.' },
  { type: ResponseType.DEFAULT_4XX, name: 'RucioException', message: 'The gateway cannot process this request.' },
  { type: ResponseType.DEFAULT_5XX, name: 'RucioException', message: 'An unknown exception occurred.' },
];

/** Gives errors that the gateway answers itself the shape of all other errors. */
export function addGatewayResponses(api: RestApi, { corsOrigins }: Config): void {
  const shared = corsHeaders(corsOrigins);
  for (const { type, status, name, message, headers } of gatewayErrors) {
    api.addGatewayResponse(type.responseType, {
      type,
      ...(status === undefined ? {} : { statusCode: String(status) }),
      responseHeaders: literals({
        'Content-Type': 'application/octet-stream',
        ExceptionClass: name,
        ExceptionMessage: message,
        ...headers,
        ...shared,
      }),
      templates: { 'application/json': JSON.stringify({ ExceptionClass: name, ExceptionMessage: message }) },
    });
  }
}

/**
 * Lets web pages read the errors. They are constant, so with several origins they allow all: they hold nothing of a caller.
 */
function corsHeaders(corsOrigins: string): Readonly<Record<string, string>> {
  const [origin, ...others] = corsOrigins.split(' ').filter(Boolean);
  if (origin === undefined) return {};
  const exposed = { 'Access-Control-Expose-Headers': 'ExceptionClass, ExceptionMessage, Retry-After' };
  return others.length > 0
    ? { 'Access-Control-Allow-Origin': '*', ...exposed }
    : { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true', ...exposed };
}

/** API Gateway's notation for constant header values. */
function literals(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `'${value}'`]));
}
