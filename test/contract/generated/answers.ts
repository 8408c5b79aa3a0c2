import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import { groups } from '../../../lib/contract/index.ts';
import type { Route } from '../../../lib/contract/route.ts';
import { errorStatus, RucioError } from '../../../lib/errors.ts';
import { metalinkType } from '../../../lib/http/metalink.ts';
import { createRouter, type Router } from '../../../lib/http/router.ts';
import { toOpenapi } from '../../../lib/openapi/document.ts';
import { errorsOf, type RouteError } from '../../../lib/openapi/errors.ts';
import { readPythonJson } from '../../../lib/python/json.ts';
import type { GeneratedRequest } from './requests.ts';

/** An answer as received. */
export interface WireAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

const routers = new Map(groups.flatMap((group) => group.prefixes.map((prefix) => [prefix, createRouter(group)])));

/**
 * Checks an answer against the contract. The route is the one that the request matches, which may differ from the
 * intended one if a generated name looks like a route of its own.
 *
 * @returns the violation; undefined if there is none.
 */
export function findViolation({ method, target }: GeneratedRequest, answer: WireAnswer): string | undefined {
  const found = find(method, target.split('?')[0] ?? '');
  if (answer.status >= 500 && !('id' in found && isDeclared(found.route, answer))) return 'a 5xx';
  if ('id' in found && isPage(found.route, answer)) return flawOfPage(answer, errorsOf(found.route));
  if (answer.status >= 400) return flawOfError(answer, 'id' in found ? errorsOf(found.route) : [found]);
  return 'id' in found ? flawOfSuccess(answer, found) : 'no route, but a success';
}

/** Whether the route itself declares this status: an RSE that is not writable is not a failure. */
function isDeclared({ errors = {} }: Route, { status }: WireAnswer): boolean {
  return Object.values(errors).includes(status);
}

interface Found {
  readonly id: string;
  readonly route: Route;
}

function find(method: string, path: string): Found | RouteError {
  const router = routers.get(/^\/[^/]*/.exec(path)?.[0] ?? '') as Router;
  try {
    return router(method, path);
  } catch (error) {
    if (!(error instanceof RucioError)) throw error;
    return { name: error.name, status: errorStatus[error.name] };
  }
}

/** Whether an error is a page: only of a route that a browser opens, and that offers pages. */
function isPage({ accept = [] }: Route, { status, headers }: WireAnswer): boolean {
  return status >= 400 && accept.includes('text/html') && headers['content-type'] === 'text/html; charset=utf-8';
}

function flawOfPage({ status, headers }: WireAnswer, declared: readonly RouteError[]): string | undefined {
  const name = headers['exceptionclass'];
  if (headers['exceptionmessage'] === undefined) return 'no message in the headers';
  if (declared.some((error) => error.name === name && error.status === status)) return undefined;
  return `${name} with ${status} is not declared`;
}

function flawOfError({ status, headers, text }: WireAnswer, declared: readonly RouteError[]): string | undefined {
  if (headers['content-type'] !== 'application/octet-stream') return `content type ${headers['content-type']}`;
  const body = JSON.parse(text) as Record<string, unknown>;
  const name = body['ExceptionClass'];
  if (typeof name !== 'string' || typeof body['ExceptionMessage'] !== 'string')
    return 'an error without class or message';
  if (headers['exceptionclass'] !== name) return 'another class in the headers';
  if (headers['exceptionmessage'] === undefined) return 'no message in the headers';
  if (declared.some((error) => error.name === name && error.status === status)) return undefined;
  return `${name} with ${status} is not declared`;
}

interface Media {
  readonly schema: object;
}
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

const operations = new Map(
  Object.values<Record<string, Operation>>(toOpenapi(groups, '').paths as never).flatMap((item) =>
    Object.values(item).map((operation) => [operation.operationId, operation] as const),
  ),
);

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const validators = new Map<object, ValidateFunction>();

function flawOfSuccess({ status, headers, text }: WireAnswer, { id, route }: Found): string | undefined {
  const response = operations.get(id)?.responses[status];
  if (response === undefined) return `status ${status} is not declared`;
  const mediaType = headers['content-type'] ?? '';
  const media = response.content?.[mediaType];
  if (media === undefined) return `content type ${mediaType} is not declared`;
  const validate = validators.get(media.schema) ?? ajv.compile(media.schema);
  validators.set(media.schema, validate);
  const misfit = valuesOf(route, { status, mediaType, text })
    .map(withNumbers)
    .find((value) => !validate(value));
  return misfit === undefined
    ? undefined
    : `${ajv.errorsText(validate.errors)} in ${JSON.stringify(misfit).slice(0, 500)}`;
}

/** A value as the checker of schemas knows them: it has no exact integers beyond 2^53. */
function withNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withNumbers(member)]));
}

/** The values that the declared schema describes: a document, each of its lines, or its text. */
function valuesOf({ answer }: Route, { status, mediaType, text }: Content): unknown[] {
  if (answer.kind === 'events')
    return text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => readPythonJson(line.slice(6)));
  const isText = !['json', 'listing', 'stream'].includes(answer.kind);
  if (isText && (answer.kind !== 'text' || answer.replies?.[status]?.content === undefined)) return [text];
  if (mediaType === metalinkType) return [text];
  if (answer.kind !== 'stream' && mediaType === 'application/json') return [readPythonJson(text)];
  return text.split('\n').filter(Boolean).map(readPythonJson);
}

interface Content {
  readonly status: number;
  readonly mediaType: string;
  readonly text: string;
}
