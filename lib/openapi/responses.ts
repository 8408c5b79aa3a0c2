import type { oas31, ZodOpenApiContentObject, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import * as z from 'zod/mini';

import { replayedHeader, acceptsIdempotencyKey } from '../contract/idempotency.ts';
import { hasTag } from '../contract/preconditions.ts';
import type { Answer, Reply, Route } from '../contract/route.ts';
import type { ErrorName } from '../errors.ts';
import { errorsOf } from './errors.ts';

const html = 'text/html; charset=utf-8';
const text = { schema: { type: 'string' } } as const;
const nothing = { schema: { type: 'string', maxLength: 0 } } as const;

/** The form of every error on the wire (spec/dids.md 1.9). */
export const errorSchema: oas31.SchemaObject = {
  type: 'object',
  properties: {
    ExceptionClass: { type: 'string', description: "Rucio's name of the error" },
    ExceptionMessage: { type: 'string' },
    reason: { type: 'string', const: 'Invalid Auth Token', description: 'Only if the token was refused' },
  },
  required: ['ExceptionClass', 'ExceptionMessage'],
  additionalProperties: false,
};

/** Headers of several answers, by the names under which answers refer to them: those of every error, and others. */
export const sharedHeaders: Record<string, oas31.HeaderObject> = {
  ExceptionClass: { description: 'As in the body', required: true, schema: { type: 'string' } },
  ExceptionMessage: {
    description: 'As in the body, on one line and cut after 125 characters',
    required: true,
    schema: { type: 'string' },
  },
  Link: {
    description: 'With `limit`, if there are more rows: `<path and query of the next page>; rel="next"`',
    schema: { type: 'string' },
  },
  ETag: { description: 'Revision of the resource; absent if it was not read', schema: { type: 'string' } },
  [replayedHeader]: {
    description: 'The request repeated an earlier one with the same `Idempotency-Key`, and had no further effect',
    schema: { type: 'string', const: 'true' },
  },
};

const references = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The answers of a route: its successes, and its errors by status as references to {@link errorResponses}. */
export function responsesOf(route: Route): ZodOpenApiResponsesObject {
  const responses: Record<string, ZodOpenApiResponseObject | oas31.ReferenceObject> = successes(route.answer);
  const common = [
    ...(route.pages === undefined ? [] : ['Link']),
    ...(hasTag(route) ? ['ETag'] : []),
    ...(acceptsIdempotencyKey(route) ? [replayedHeader] : []),
  ];
  if (common.length > 0) {
    for (const status of Object.keys(responses))
      responses[status] = { ...responses[status], headers: references(common) };
  }
  if (hasTag(route))
    responses[304] = { description: 'The revision of `If-None-Match` is current', headers: references(['ETag']) };
  for (const [status, names] of errorsByStatus(route)) {
    responses[status] = { $ref: `#/components/responses/${componentName(status, names)}` };
  }
  return responses;
}

/** The error answers of all routes, by the names under which routes refer to them. */
export function errorResponses(routes: readonly Route[]): Record<string, ZodOpenApiResponseObject> {
  const responses = new Map(
    routes.flatMap((route) =>
      errorsByStatus(route).map(([status, names]) => [componentName(status, names), errorResponse(names)] as const),
    ),
  );
  return Object.fromEntries([...responses].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function errorsByStatus(route: Route): [string, ErrorName[]][] {
  const byStatus = Map.groupBy(errorsOf(route), ({ status }) => String(status));
  return [...byStatus].map(([status, errors]) => [status, errors.map(({ name }) => name)]);
}

const componentName = (status: string, names: readonly ErrorName[]) => [status, ...names].join('-');

function successes(answer: Answer): Record<string, ZodOpenApiResponseObject> {
  switch (answer.kind) {
    case 'json':
    case 'listing':
      return { 200: { description: 'OK', content: { 'application/json': { schema: answer.schema } } } };
    case 'stream':
      return {
        200: {
          description: 'One JSON value per line; the schema is that of a line. No rows: an empty body.',
          content: {
            [answer.mediaType ?? 'application/x-json-stream']: { schema: answer.schema },
            ...(answer.metalink === undefined ? {} : { 'application/metalink4+xml': text }),
          },
        },
      };
    case 'events':
      return {
        200: {
          description: 'Server-sent events; the schema is that of the `data` of each.',
          content: { 'text/event-stream': { schema: answer.schema } },
        },
      };
    case 'created':
      return { 201: { description: 'Created', content: { [html]: { schema: { const: 'Created' } } } } };
    case 'created-empty':
      return { 201: { description: 'Created; the body is empty', content: { [html]: nothing } } };
    case 'empty':
      return { 200: { description: 'Done; the body is empty', content: { [html]: nothing } } };
    case 'redirect':
      return {
        303: {
          description: 'Redirect; the body is empty',
          headers: z.object({ Location: z.string().check(z.meta({ description: 'URL of the answer' })) }),
          content: { [html]: nothing },
        },
      };
    case 'text':
      return Object.fromEntries(
        Object.entries(answer.replies ?? { 200: { description: 'OK' } }).map(([status, reply]) => [
          status,
          { ...reply, content: contentOf(reply, answer.mediaType) },
        ]),
      );
  }
}

function contentOf({ content }: Reply, mediaType: string): ZodOpenApiContentObject {
  if (content === undefined) return { [mediaType]: text };
  return Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }]));
}

function errorResponse(names: readonly ErrorName[]): ZodOpenApiResponseObject {
  return {
    description: names.map((name) => `\`${name}\``).join(', '),
    headers: references(['ExceptionClass', 'ExceptionMessage']),
    content: {
      'application/octet-stream': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { ExceptionClass: { enum: [...names] } } }],
        },
      },
    },
  };
}
