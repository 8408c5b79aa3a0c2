import { replayedHeader } from '../contract/idempotency.ts';
import { env } from '../env.ts';
import type { Edge, EdgeRequest, GatewayAnswer } from './exchange.ts';

/** The response headers that scripts of a page may read, besides those that every browser exposes. */
const exposedHeaders = [
  'X-Rucio-Auth-Token',
  'X-Rucio-Auth-Token-Expires',
  'X-Rucio-Auth-Account',
  'Link',
  'ETag',
  'Retry-After',
  replayedHeader,
].join(', ');

/** Answers OPTIONS for every path and allows the configured origins (spec/dids.md 1.2, 1.3). */
export function cors(): Edge {
  const preflight = ({ context: { exchange } }: EdgeRequest): GatewayAnswer | undefined => {
    if (exchange.http.method !== 'OPTIONS') return undefined;
    const origin = allowedOrigin(exchange.http.headers);
    if (origin === undefined) return { statusCode: 403, headers: {}, body: '' };
    return {
      statusCode: 200,
      headers: {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, OPTIONS',
        'Access-Control-Allow-Credentials': 'true',
        ...allowedHeaders(exchange.http.headers),
      },
      body: '',
    };
  };
  const addHeaders = ({ context: { exchange }, response }: EdgeRequest) => {
    if (!response) return;
    if (exchange.http.method === 'GET') response.headers['Cache-Control'] ??= 'no-store';
    const origin = allowedOrigin(exchange.http.headers);
    if (origin === undefined) return;
    Object.assign(response.headers, {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Methods': '*',
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Expose-Headers': exposedHeaders,
      Vary: [response.headers['Vary'], 'Origin'].filter(Boolean).join(', '),
      ...allowedHeaders(exchange.http.headers),
    });
  };
  return { before: preflight, after: addHeaders, onError: addHeaders };
}

function allowedOrigin(headers: Readonly<Record<string, string>>): string | undefined {
  const origin = headers['origin'];
  return origin !== undefined && env.corsOrigins.includes(origin) ? origin : undefined;
}

function allowedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const requestedHeaders = headers['access-control-request-headers'];
  return requestedHeaders === undefined ? {} : { 'Access-Control-Allow-Headers': requestedHeaders };
}
