import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { APIGatewayProxyEvent, Context } from 'aws-lambda';

import { spellRoot } from '../lib/http/root-path.ts';
import { type Caller, directCaller } from './caller.ts';

const stage = 'local';

/** Path and query of a request target, exactly as sent. */
export function splitTarget(target: string): { path: string; query: string } {
  const origin = /^https?:\/\/[^/?]*/i.exec(target)?.[0] ?? '';
  const [path = '', ...query] = target.slice(origin.length).split('?');
  return { path: path === '' ? '/' : path, query: query.join('?') };
}

/**
 * Turns an HTTP request into the event that a REST API (v1) sends to a Lambda function.
 *
 * The path stays percent-encoded, as in API Gateway. Query values are decoded; of repeated keys and headers the
 * single-valued map has the last value. Binary and compressed bodies are in base64.
 */
export function toProxyEvent(
  request: IncomingMessage,
  body: Buffer,
  prefix: string,
  caller: Caller = directCaller(request),
): APIGatewayProxyEvent {
  const { path, query } = splitTarget(request.url ?? '/');
  const headers = groupHeaders(request, caller);
  const parameters = groupPairs(new URLSearchParams(query));
  const asText = isUtf8(body) && request.headers['content-encoding'] === undefined;
  const tail = spellRoot(path).slice(prefix.length + 1);
  const resource = tail === '' ? prefix : `${prefix}/{proxy+}`;
  const method = request.method ?? 'GET';
  return {
    resource,
    path,
    httpMethod: method,
    headers: lastValues(headers),
    multiValueHeaders: Object.fromEntries(headers),
    queryStringParameters: parameters.size === 0 ? null : lastValues(parameters),
    multiValueQueryStringParameters: parameters.size === 0 ? null : Object.fromEntries(parameters),
    pathParameters: tail === '' ? null : { proxy: tail },
    stageVariables: null,
    requestContext: requestContext(request, { path, resource, method, caller }),
    body: body.length === 0 ? null : body.toString(asText ? 'utf8' : 'base64'),
    isBase64Encoded: body.length > 0 && !asText,
  };
}

/** The context object of one invocation with a time limit of `milliseconds`. */
export function lambdaContext(functionName: string, milliseconds: number): Context {
  const deadline = performance.now() + milliseconds;
  const done = () => {};
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
    memoryLimitInMB: '1024',
    awsRequestId: randomUUID(),
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: stage,
    getRemainingTimeInMillis: () => Math.max(0, Math.round(deadline - performance.now())),
    done,
    fail: done,
    succeed: done,
  };
}

/** Headers that tell about the caller: what the request itself has there counts for nothing. */
const ofCaller = ['X-Forwarded-For', 'X-Forwarded-Port', 'X-Forwarded-Proto'];

/** Header values by their first spelling, repeated ones together, with the `X-Forwarded-*` headers of the gateway. */
function groupHeaders(request: IncomingMessage, { address, protocol, host }: Caller): Map<string, string[]> {
  const spelling = new Map<string, string>();
  const pairs: [string, string][] = [];
  const raw = request.rawHeaders;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? '';
    const key = name.toLowerCase();
    if (!spelling.has(key)) spelling.set(key, name);
    pairs.push([spelling.get(key) ?? name, raw[i + 1] ?? '']);
  }
  const headers = groupPairs(pairs);
  const told = [address, String(request.socket.localPort ?? ''), protocol];
  for (const [at, name] of ofCaller.entries()) {
    headers.delete(spelling.get(name.toLowerCase()) ?? name);
    headers.set(name, [told[at] ?? '']);
  }
  if (host !== undefined) headers.set(spelling.get('host') ?? 'Host', [host]);
  return headers;
}

function groupPairs(pairs: Iterable<readonly [string, string]>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const values = groups.get(name);
    if (values === undefined) groups.set(name, [value]);
    else values.push(value);
  }
  return groups;
}

function lastValues(groups: ReadonlyMap<string, readonly string[]>): Record<string, string> {
  return Object.fromEntries([...groups].map(([name, values]) => [name, values.at(-1) ?? '']));
}

function requestContext(
  request: IncomingMessage,
  {
    path,
    resource,
    method,
    caller,
  }: { readonly path: string; readonly resource: string; readonly method: string; readonly caller: Caller },
): APIGatewayProxyEvent['requestContext'] {
  const now = new Date();
  return {
    accountId: '000000000000',
    apiId: stage,
    authorizer: undefined,
    domainName: caller.host ?? 'localhost',
    protocol: `HTTP/${request.httpVersion}`,
    httpMethod: method,
    identity: {
      accessKey: null,
      accountId: null,
      apiKey: null,
      apiKeyId: null,
      caller: null,
      clientCert: null,
      cognitoAuthenticationProvider: null,
      cognitoAuthenticationType: null,
      cognitoIdentityId: null,
      cognitoIdentityPoolId: null,
      principalOrgId: null,
      sourceIp: caller.address,
      user: null,
      userAgent: request.headers['user-agent'] ?? null,
      userArn: null,
    },
    path: `/${stage}${path}`,
    stage,
    requestId: randomUUID(),
    requestTime: now.toUTCString(),
    requestTimeEpoch: now.getTime(),
    resourceId: stage,
    resourcePath: resource,
  };
}
