import type { Readable } from 'node:stream';

import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEvent, Context as LambdaContext } from 'aws-lambda';

import type { Page } from '../domain/paging/page.ts';
import type { Issuer } from '../domain/values/context.ts';
import type { HttpRequest } from './request.ts';
import type { Match } from './router.ts';

/** What API Gateway gets back; a `Readable` body is streamed, or collected where the platform cannot stream. */
export interface GatewayAnswer {
  statusCode: number;
  headers: Record<string, string>;
  body: string | Readable;
}

/** What the middleware of one request fills in, one after another. */
export interface Exchange {
  readonly http: HttpRequest;
  match?: Match;
  issuer?: Issuer;
  /** The one of the route's media types that the caller wants. */
  mediaType?: string;
  query?: unknown;
  page?: Page;
  body?: unknown;
}

/** The Lambda context, on which the exchange travels from middleware to middleware and to the handler. */
export type EdgeContext = LambdaContext & { exchange: Exchange };

/** A middleware of the edge. */
export type Edge = MiddlewareObj<APIGatewayProxyEvent, GatewayAnswer, Error, EdgeContext>;

/** What the hooks of a middleware are called with. */
export type EdgeRequest = Request<APIGatewayProxyEvent, GatewayAnswer, Error, EdgeContext>;
