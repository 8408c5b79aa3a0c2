import type { Readable } from 'node:stream';

import type { Route } from '../contract/route.ts';
import type { ReplicaLine } from '../contract/schemas/replica.ts';
import { toJson } from '../json.ts';
import { toPythonJson } from '../python/json.ts';
import { type EventBatch, eventStreamType, openEventStream } from './event-stream.ts';
import type { GatewayAnswer } from './exchange.ts';
import { openJsonStream, type StreamLimits } from './json-stream.ts';
import { metalinkType, openMetalink } from './metalink.ts';

/** The result of an operation of a `text` route. */
export interface TextReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream is compressed for callers that accept it. */
  readonly body: string | Readable;
}

/** The optional result of a `created` or `created-empty` route. */
export interface CreatedReply {
  readonly location: string;
}

/** A reply with status 201 and a JSON document. */
export function createdReply(document: unknown): TextReply {
  return { status: 201, body: toPythonJson(document) };
}

const html = 'text/html; charset=utf-8';

/**
 * Builds the declared answer of a route from the result of its operation (spec/dids.md 1.4).
 *
 * @param mediaType The media type of the answer, chosen among those of the route.
 * @param limits The platform's limits of a stream.
 */
export async function respond(
  route: Route,
  result: unknown,
  mediaType?: string,
  limits?: StreamLimits,
): Promise<GatewayAnswer> {
  switch (route.answer.kind) {
    case 'json':
      return answer(200, 'application/json', route.answer.compact === true ? toJson(result) : toPythonJson(result));
    case 'listing':
      return answer(200, 'application/json', toPythonJson(result));
    case 'stream': {
      const { metalink, mediaType: named = 'application/x-json-stream' } = route.answer;
      const isMetalink = metalink !== undefined && mediaType === metalinkType;
      return {
        statusCode: 200,
        headers: { 'Content-Type': isMetalink ? metalinkType : named },
        body: isMetalink
          ? await openMetalink(result as AsyncIterable<ReplicaLine>, metalink)
          : await openJsonStream(result as AsyncIterable<unknown>, limits),
      };
    }
    case 'events': {
      const body = openEventStream(result as AsyncIterable<EventBatch>);
      return { statusCode: 200, headers: { 'Content-Type': eventStreamType }, body };
    }
    case 'created':
      return answer(201, html, 'Created', location(result));
    case 'created-empty':
      return answer(201, html, '', location(result));
    case 'empty':
      return answer(200, html, '');
    case 'redirect':
      return answer(303, html, '', location(result));
    case 'text': {
      const reply = result as TextReply;
      return answer(reply.status ?? 200, route.answer.mediaType, reply.body, reply.headers);
    }
  }
}

function answer(
  statusCode: number,
  mediaType: string,
  body: string | Readable,
  headers: Readonly<Record<string, string>> = {},
): GatewayAnswer {
  return { statusCode, headers: { 'Content-Type': mediaType, ...headers }, body };
}

function location(result: unknown): Record<string, string> {
  const reply = result as CreatedReply | undefined;
  return reply === undefined ? {} : { Location: reply.location };
}
