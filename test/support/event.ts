import type { APIGatewayProxyEvent, Context } from 'aws-lambda';

/** Settings of a proxy event; everything else is as API Gateway sends it. */
export interface EventOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Query parameters; each key may have several values. */
  readonly query?: Readonly<Record<string, readonly string[]>>;
  readonly body?: string;
  readonly base64?: boolean;
}

/** The proxy event of a request; the path stays percent-encoded, as REST APIs pass it. */
export function gatewayEvent(method: string, path: string, options: EventOptions = {}): APIGatewayProxyEvent {
  const { headers = {}, query = {}, body = null, base64 = false } = options;
  return {
    httpMethod: method,
    path,
    resource: '/{proxy+}',
    headers: { ...headers },
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: Object.fromEntries(Object.entries(query).map(([key, values]) => [key, values.at(-1)])),
    multiValueQueryStringParameters: Object.fromEntries(
      Object.entries(query).map(([key, values]) => [key, [...values]]),
    ),
    pathParameters: null,
    stageVariables: null,
    body: base64 && body !== null ? Buffer.from(body).toString('base64') : body,
    isBase64Encoded: base64,
    requestContext: {
      requestId: 'test',
      identity: { sourceIp: '127.0.0.1' },
    } as APIGatewayProxyEvent['requestContext'],
  };
}

/** A Lambda context that never times out. */
export function lambdaContext(): Context {
  return { awsRequestId: 'test', getRemainingTimeInMillis: () => 60_000 } as Context;
}
