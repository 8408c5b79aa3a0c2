import { text } from 'node:stream/consumers';

import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context as LambdaContext } from 'aws-lambda';
import type * as z from 'zod/mini';

import { clock } from '../clock.ts';
import type { Answer, Group, Parameters, Route, Routes } from '../contract/route.ts';
import type { Page } from '../domain/paging/page.ts';
import type { AnonymousContext, Context, GuestContext } from '../domain/values/context.ts';
import { env } from '../env.ts';
import { meterRequest } from '../store/items/meter.ts';
import { negotiateMediaType } from './accept.ts';
import { authenticate } from './authenticate.ts';
import { compress, isCompressed } from './compress.ts';
import { cors } from './cors.ts';
import { errorResponse } from './error-response.ts';
import type { EventBatch } from './event-stream.ts';
import type { Edge, EdgeContext, EdgeRequest, GatewayAnswer } from './exchange.ts';
import type { StreamLimits } from './json-stream.ts';
import { matchRoute } from './match-route.ts';
import { metalinkType } from './metalink.ts';
import { type Listing, type PagedResult, respondInPages, type Rows } from './paging.ts';
import { performOnce } from './perform-once.ts';
import { type Watch, watchReads } from './preconditions.ts';
import { readInput } from './read-input.ts';
import { requestLog } from './request-log.ts';
import { readEvent } from './request.ts';
import { respond, type CreatedReply, type TextReply } from './respond.ts';
import { streamAnswers } from './stream-answer.ts';

type QueryOf<R extends Route> = R['query'] extends z.ZodMiniType ? z.output<R['query']> : undefined;
type BodyOf<R extends Route> = R['body'] extends { readonly schema: infer S extends z.ZodMiniType }
  ? z.output<S>
  : undefined;

/** The input of an operation, parsed and validated. */
export interface Input<R extends Route> {
  readonly params: Parameters<R['path']>;
  readonly query: QueryOf<R>;
  /** The undeclared query, for routes that accept any key. */
  readonly rawQuery: Readonly<Record<string, string>>;
  readonly body: BodyOf<R>;
  /** The requested part of the list; for routes with pages. */
  readonly page: R extends { readonly pages: unknown } ? Page : undefined;
  /** By lower-case name; for the routes whose parameters are headers. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * When the answer must end, in milliseconds since 1970. Undefined where the platform collects the answer first:
   * waiting for more would only delay it.
   */
  readonly deadline: number | undefined;
  /** The caller prefers a metalink, and the route offers one. */
  readonly wantsMetalink: boolean;
  /** The part of the URL before the path: the gateway's stage, or nothing. */
  readonly basePath: string;
  readonly sourceIp: string;
  /** Subject of the client's certificate. Only mutual TLS at the gateway sets it. */
  readonly certificateDn: string | undefined;
}

type ResultOf<R extends Route> = R extends { readonly pages: unknown }
  ? PagedResult<R['answer']>
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

/** The function behind a route. It compiles only if contract and domain agree. */
export type Operation<R extends Route> = (context: ContextOf<R>, input: Input<R>) => ResultOf<R>;

/**
 * An operation in two parts, for answers that hold more than the operation decides. The decision is stored for repeated
 * requests, and each of them presents it in the same way.
 */
export interface PresentedOperation<R extends Route> {
  readonly run: (context: ContextOf<R>, input: Input<R>) => Promise<unknown>;
  /** Makes the result from what `run` returned; for a repeated request the decision was JSON in between. */
  readonly present: (
    decided: unknown,
    input: Input<R>,
  ) => R['answer']['kind'] extends 'created' | 'created-empty' ? CreatedReply : Awaited<ResultOf<R>>;
}

/** One operation for each route of a group. */
export type Operations<R extends Routes> = {
  readonly [Id in keyof R]: Operation<R[Id]> | PresentedOperation<R[Id]>;
};

/** A Lambda handler for the platform's response mode. */
export type LambdaHandler = (event: APIGatewayProxyEvent, context: LambdaContext) => Promise<GatewayAnswer>;

/**
 * Binds a group of the contract to its operations, behind the same middleware for every function.
 *
 * The handler streams where `RESPONSE_MODE` is `stream`; elsewhere it collects the answer first.
 */
export function createHandler<R extends Routes>(group: Group<R>, operations: Operations<R>): LambdaHandler {
  const streams = env.responseMode === 'stream';

  const run = async (_event: APIGatewayProxyEvent, lambda: EdgeContext): Promise<GatewayAnswer> => {
    const { exchange } = lambda;
    const { match, http, issuer } = exchange;
    if (match === undefined) throw new Error('a request reached the handler without a route');
    const { perform, present } = splitOperation(operations[match.id] as Bound);
    const input = {
      params: match.params,
      query: exchange.query,
      rawQuery: http.query,
      body: exchange.body,
      page: exchange.page,
      headers: http.headers,
      deadline: streams ? clock.now() + lambda.getRemainingTimeInMillis() : undefined,
      wantsMetalink: exchange.mediaType === metalinkType,
      basePath: http.basePath,
      sourceIp: http.sourceIp,
      certificateDn: http.certificateDn,
    };
    const now = clock.now();
    let watch: Watch | undefined;
    const { decided, headers } = await performOnce(exchange, async (store) => {
      watch = watchReads(exchange, store);
      return perform({ store: watch.store, now, ...(issuer === undefined ? {} : { issuer }) }, input);
    });
    const result = present(decided, input);
    const answer = await (match.route.pages === undefined
      ? respond(match.route, result, exchange.mediaType, limitStream(input.deadline, http.headers))
      : respondInPages(match.route, exchange, result as Rows<unknown> | Listing<unknown, object>));
    Object.assign(answer.headers, headers);
    const tagged = (await watch?.addTag(answer)) ?? answer;
    return http.method === 'HEAD' ? withoutBody(tagged) : tagged;
  };

  const stack = middy<APIGatewayProxyEvent, GatewayAnswer, Error, EdgeContext>();
  if (!streams) stack.use(collectBody());
  const handler = stack
    .use(openExchange())
    .use(requestLog())
    .use(cors())
    .use(compress())
    .use(errorResponse())
    .use(matchRoute(group))
    .use(authenticate())
    .use(negotiateMediaType())
    .use(readInput())
    .handler(run);
  return (streams ? streamAnswers(handler) : handler) as unknown as LambdaHandler;
}

/**
 * The platform's limits of a streamed answer: 200 MB on the wire, and the time needed to write the broken last line.
 */
const streamLimits = { bytes: 199_000_000, marginMs: 3_000 };

function limitStream(deadline: number | undefined, headers: Readonly<Record<string, string>>): StreamLimits {
  if (deadline === undefined) return {};
  // A compressed answer reaches the time limit long before the size limit.
  return { until: deadline - streamLimits.marginMs, ...(isCompressed(headers) ? {} : { bytes: streamLimits.bytes }) };
}

/** An operation without the types of its route. */
type Perform = (context: AnonymousContext, input: unknown) => unknown;
type Present = (decided: unknown, input: unknown) => unknown;
type Bound = Perform | { readonly run: Perform; readonly present: Present };

function splitOperation(bound: Bound): { readonly perform: Perform; readonly present: Present } {
  return typeof bound === 'function'
    ? { perform: bound, present: (decided) => decided }
    : { perform: bound.run, present: bound.present };
}

/** The answer to HEAD: that of GET without its body. The rest of the list is not read. */
function withoutBody(answer: GatewayAnswer): GatewayAnswer {
  if (typeof answer.body !== 'string') answer.body.destroy();
  return { ...answer, body: '' };
}

/** Reads the event and starts the cost meter of the request. */
function openExchange(): Edge {
  const open = (request: EdgeRequest) => {
    request.context.exchange = { http: readEvent(request.event) };
    meterRequest();
  };
  return { before: open };
}

/**
 * Where the platform cannot stream, the answer is collected first. An error in the middle of a list is then an ordinary
 * error answer.
 */
function collectBody(): Edge {
  const collect = async ({ response }: EdgeRequest) => {
    if (response && typeof response.body !== 'string') response.body = await text(response.body);
  };
  return { after: collect };
}
