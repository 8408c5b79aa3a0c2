import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context as LambdaContext } from 'aws-lambda';

import { clock } from '../clock.ts';
import type { Group, Routes } from '../contract/route.ts';
import { env } from '../env.ts';
import { negotiateMediaType } from './accept.ts';
import { authenticate } from './authenticate.ts';
import { compress, isCompressed } from './compress.ts';
import { cors } from './cors.ts';
import { errorResponse } from './error-response.ts';
import type { EdgeContext, GatewayAnswer } from './exchange.ts';
import type { StreamLimits } from './json-stream.ts';
import { matchRoute } from './match-route.ts';
import { metalinkType } from './metalink.ts';
import { type BoundOperation, type Operations, splitOperation } from './operation.ts';
import { type Listing, respondInPages, type Rows } from './paging.ts';
import { performRequest } from './perform-request.ts';
import { collectBody, omitBodyOfHead, openExchange } from './platform.ts';
import { readInput } from './read-input.ts';
import { requestLog } from './request-log.ts';
import { respond } from './respond.ts';
import { streamAnswers } from './stream-answer.ts';

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
    const { perform, present } = splitOperation(operations[match.id] as BoundOperation);
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
    const { decided, complete } = await performRequest(exchange, async (store) =>
      perform({ store, now, ...(issuer === undefined ? {} : { issuer }) }, input),
    );
    const result = present(decided, input);
    const answer = await (match.route.pages === undefined
      ? respond(match.route, result, exchange.mediaType, limitStream(input.deadline, http.headers))
      : respondInPages(match.route, exchange, result as Rows<unknown> | Listing<unknown, object>));
    return complete(answer);
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
    .use(omitBodyOfHead())
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
