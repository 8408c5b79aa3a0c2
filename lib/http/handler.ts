import { text } from 'node:stream/consumers';

import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import type { APIGatewayProxyEvent, Context as LambdaContext } from 'aws-lambda';
import type * as z from 'zod/mini';

import type { Answer, Group, Parameters, Route, Routes } from '../contract/route.ts';
import type { Page } from '../domain/paging/page.ts';
import type { AnonymousContext, Context, GuestContext } from '../domain/values/context.ts';
import { env } from '../env.ts';
import { meterRequest } from '../store/items/meter.ts';
import { acceptCheck } from './accept.ts';
import { authenticate } from './authenticate.ts';
import { compress, isCompressed } from './compress.ts';
import { cors } from './cors.ts';
import { errorResponse } from './error-response.ts';
import type { EventBatch } from './event-stream.ts';
import type { Edge, EdgeContext, EdgeRequest, GatewayAnswer } from './exchange.ts';
import type { StreamLimits } from './json-stream.ts';
import { matchRoute } from './match-route.ts';
import { type PagedResult, respondInPages, type Rows } from './paging.ts';
import { performOnce } from './perform-once.ts';
import { type Watch, watchReads } from './preconditions.ts';
import { readInput } from './read-input.ts';
import { requestLog } from './request-log.ts';
import { fromEvent } from './request.ts';
import { respond, type CreatedReply, type TextReply } from './respond.ts';
import { createRouter } from './router.ts';

type QueryOf<R extends Route> = R['query'] extends z.ZodMiniType ? z.output<R['query']> : undefined;
type BodyOf<R extends Route> = R['body'] extends { readonly schema: infer S extends z.ZodMiniType }
  ? z.output<S>
  : undefined;

/** What an operation gets from its request: everything already parsed and checked. */
export interface Input<R extends Route> {
  readonly params: Parameters<R['path']>;
  readonly query: QueryOf<R>;
  /** The query as it came, for the routes that take any key. */
  readonly rawQuery: Readonly<Record<string, string>>;
  readonly body: BodyOf<R>;
  /** The part of the list that is asked for; of the routes that come in pages. */
  readonly page: R extends { readonly pages: unknown } ? Page : undefined;
  /** By lower-case name; for the routes whose parameters are headers. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Until when an answer may go on, in milliseconds since 1970; undefined where the platform collects it before anybody
   * sees it, so that waiting for more is of no use.
   */
  readonly deadline: number | undefined;
  /** The one of the route's media types that the caller wants; of the routes that offer any. */
  readonly mediaType: string | undefined;
  readonly sourceIp: string;
  /** Subject of the client's certificate, from mutual TLS at the gateway alone. */
  readonly certificateDn: string | undefined;
}

type ResultOf<R extends Route> = R extends {
  readonly pages: unknown;
  readonly answer: { readonly kind: infer Kind; readonly schema: infer S extends z.ZodMiniType };
}
  ? PagedResult<S, Kind>
  : PlainResult<R['answer']>;

type PlainResult<A extends Answer> = A extends {
  readonly kind: 'stream';
  readonly schema: infer S extends z.ZodMiniType;
}
  ? AsyncIterable<z.input<S>> | Promise<AsyncIterable<z.input<S>>>
  : A extends { readonly kind: 'json'; readonly schema: infer S extends z.ZodMiniType }
    ? Promise<z.input<S>> | z.input<S>
    : A extends { readonly kind: 'text' }
      ? Promise<TextReply>
      : A extends { readonly kind: 'redirect' }
        ? Promise<CreatedReply> | CreatedReply
        : A extends { readonly kind: 'events' }
          ? Promise<AsyncIterable<EventBatch>>
          : Promise<void>;

type ContextOf<R extends Route> = R['permission'] extends 'open'
  ? R extends { readonly token: 'optional' }
    ? GuestContext
    : AnonymousContext
  : Context;

/** The function behind a route; it does not compile when contract and domain disagree. */
export type Operation<R extends Route> = (context: ContextOf<R>, input: Input<R>) => ResultOf<R>;

/**
 * The same in two parts, where the answer says more than the operation decides on: what is decided is kept for repeats,
 * and shown in the same way to all of them.
 */
export interface PresentedOperation<R extends Route> {
  readonly run: (context: ContextOf<R>, input: Input<R>) => Promise<unknown>;
  /** Makes the result of what `run` has returned, which has been JSON in between where the request is a repeat. */
  readonly present: (
    decided: unknown,
    input: Input<R>,
  ) => R['answer']['kind'] extends 'created' | 'created-empty' ? CreatedReply : Awaited<ResultOf<R>>;
}

/** One operation for each route of a group. */
export type Operations<R extends Routes> = {
  readonly [Id in keyof R]: Operation<R[Id]> | PresentedOperation<R[Id]>;
};

/** A Lambda handler, in the form that the platform's response mode needs. */
export type LambdaHandler = (event: APIGatewayProxyEvent, context: LambdaContext) => Promise<GatewayAnswer>;

/**
 * Binds a group of the contract to its operations: one middleware stack, the same for every function.
 *
 * The handler streams where `RESPONSE_MODE` is `stream`; elsewhere the same answer is collected first.
 */
export function createHandler<R extends Routes>(group: Group<R>, operations: Operations<R>): LambdaHandler {
  const streams = env.responseMode === 'stream';

  const run = async (_event: APIGatewayProxyEvent, lambda: EdgeContext): Promise<GatewayAnswer> => {
    const { exchange } = lambda;
    const { match, http, issuer } = exchange;
    if (match === undefined) throw new Error('a request reached the handler without a route');
    const { perform, present } = partsOf(operations[match.id] as Bound);
    const input = {
      params: match.params,
      query: exchange.query,
      rawQuery: http.query,
      body: exchange.body,
      page: exchange.page,
      headers: http.headers,
      deadline: streams ? Date.now() + lambda.getRemainingTimeInMillis() : undefined,
      mediaType: exchange.mediaType,
      sourceIp: http.sourceIp,
      certificateDn: http.certificateDn,
    };
    const now = Date.now();
    let watch: Watch | undefined;
    const { decided, headers } = await performOnce(exchange, async (store) => {
      watch = watchReads(exchange, store);
      return perform({ store: watch.store, now, ...(issuer === undefined ? {} : { issuer }) }, input);
    });
    const result = present(decided, input);
    const answer = await (match.route.pages === undefined
      ? respond(match.route, result, exchange.mediaType, limitsOf(input.deadline, http.headers))
      : respondInPages(match.route, exchange, result as Rows<unknown>));
    Object.assign(answer.headers, headers);
    const tagged = (await watch?.tagged(answer)) ?? answer;
    return http.method === 'HEAD' ? withoutBody(tagged) : tagged;
  };

  const stack = middy<APIGatewayProxyEvent, GatewayAnswer, Error, EdgeContext>(
    streams ? { executionMode: executionModeStreamifyResponse } : {},
  );
  if (!streams) stack.use(collectBody());
  const handler = stack
    .use(openExchange())
    .use(requestLog())
    .use(cors())
    .use(compress())
    .use(errorResponse())
    .use(matchRoute(createRouter(group)))
    .use(authenticate())
    .use(acceptCheck())
    .use(readInput())
    .handler(run);
  return handler as unknown as LambdaHandler;
}

/** The platform's limits of a streamed answer: 200 MB as they go over the wire, and some time to say that it is broken off. */
const streamed = { bytes: 199_000_000, margin: 3_000 };

function limitsOf(deadline: number | undefined, headers: Readonly<Record<string, string>>): StreamLimits {
  if (deadline === undefined) return {};
  // What is compressed reaches the limit of time long before that of size.
  return { until: deadline - streamed.margin, ...(isCompressed(headers) ? {} : { bytes: streamed.bytes }) };
}

/** An operation as the handler calls it, whatever its route. */
type Perform = (context: AnonymousContext, input: unknown) => unknown;
type Present = (decided: unknown, input: unknown) => unknown;
type Bound = Perform | { readonly run: Perform; readonly present: Present };

function partsOf(bound: Bound): { readonly perform: Perform; readonly present: Present } {
  return typeof bound === 'function'
    ? { perform: bound, present: (decided) => decided }
    : { perform: bound.run, present: bound.present };
}

/** The answer to HEAD: what GET would say before its body, of which no more is read. */
function withoutBody(answer: GatewayAnswer): GatewayAnswer {
  if (typeof answer.body !== 'string') answer.body.destroy();
  return { ...answer, body: '' };
}

/** Reads the event; every request counts its own cost from here on. */
function openExchange(): Edge {
  const open = (request: EdgeRequest) => {
    request.context.exchange = { http: fromEvent(request.event) };
    meterRequest();
  };
  return { before: open };
}

/** Where the platform cannot stream, the answer is collected, so that an error in its midst is an error answer. */
function collectBody(): Edge {
  const collect = async ({ response }: EdgeRequest) => {
    if (response && typeof response.body !== 'string') response.body = await text(response.body);
  };
  return { after: collect };
}
