import type { Readable } from 'node:stream';

import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEvent, Context as LambdaContext } from 'aws-lambda';

import type { Page } from '../domain/paging/page.ts';
import type { Issuer } from '../domain/values/context.ts';
import type { HttpRequest } from './request.ts';
import type { Match } from './router.ts';

/** The answer for API Gateway. A `Readable` body is streamed, or collected where the platform cannot stream. */
export interface GatewayAnswer {
  statusCode: number;
  headers: Record<string, string>;
  body: string | Readable;
}

/** The state of one request; each middleware adds its part. */
export interface Exchange {
  readonly http: HttpRequest;
  match?: Match;
  issuer?: Issuer;
  /** The media type of the answer, chosen among those of the route. */
  mediaType?: string;
  query?: unknown;
  page?: Page;
  body?: unknown;
}

/** The Lambda context; it carries the exchange through the middleware to the handler. */
export type EdgeContext = LambdaContext & { exchange: Exchange };

/** A middleware of the edge. */
export type Edge = MiddlewareObj<APIGatewayProxyEvent, GatewayAnswer, Error, EdgeContext>;

/** The argument of a middleware's hooks. */
export type EdgeRequest = Request<APIGatewayProxyEvent, GatewayAnswer, Error, EdgeContext>;
