import type * as z from 'zod/mini';

import { queryOf } from '../contract/query.ts';
import type { BodyDeclaration, Route } from '../contract/route.ts';
import { fail } from '../errors.ts';
import { parseJson } from '../json.ts';
import type { Edge, EdgeRequest, Exchange } from './exchange.ts';
import { readPage } from './paging.ts';
import type { HttpRequest } from './request.ts';
import { validate } from './validate.ts';

/** The longest accepted body in characters. API Gateway accepts less than this. */
const maxBodyCharacters = 10 * 1024 * 1024;

/** The deepest accepted nesting of a body; real ones reach 6. */
const maxBodyDepth = 32;

/** The most values in a body, enough for 40,000 DIDs. Validation errors of more would cost more than parsing. */
const maxBodyValues = 250_000;

/** Parses and validates query and body before the operation sees them. */
export function readInput(): Edge {
  const read = async ({ context: { exchange } }: EdgeRequest) => {
    const route = exchange.match?.route;
    if (route !== undefined) await readQuery(route, exchange);
    if (route?.body !== undefined) exchange.body = readBody(route.body, exchange.http.body);
  };
  return { before: read };
}

/** Reads the query, and separates paging from the parameters that the route declares. */
async function readQuery(route: Route, exchange: Exchange): Promise<void> {
  const declared = queryOf(route);
  if (declared === undefined) return;
  const query = validate(declared, selectQuery(declared, exchange.http), 'query');
  if (route.pages === undefined) {
    exchange.query = query;
    return;
  }
  const { limit, cursor, ...own } = query as unknown as PagedQuery;
  exchange.query = own;
  exchange.page = await readPage(exchange, { limit, cursor });
}

interface PagedQuery {
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
}

/** The query in the form of its schema: all values of list parameters, the first value of every other. */
function selectQuery({ shape }: z.ZodMiniObject, { query, queryLists }: HttpRequest): Record<string, unknown> {
  const lists = Object.entries(shape).filter(([, type]) => isList(type));
  if (lists.length === 0) return query;
  return { ...query, ...Object.fromEntries(lists.map(([key]) => [key, queryLists[key] ?? []])) };
}

function isList({ _zod: { def } }: z.core.$ZodType): boolean {
  return def.type === 'array' || (def.type === 'default' && isList((def as z.core.$ZodDefaultDef).innerType));
}

/**
 * Parses a body as JSON, whatever its Content-Type, and validates it (spec/dids.md 1.7).
 *
 * @throws ValueError, JSONDecodeError, TypeError, KeyError, InvalidObject (400); PayloadTooLarge (413).
 */
export function readBody(declared: BodyDeclaration, text: string): unknown {
  if (text.length > maxBodyCharacters)
    fail('PayloadTooLarge', `The body is longer than ${maxBodyCharacters} characters.`);
  const data = declared.optional === true && text === '' ? {} : parse(declared, text);
  if (!isOfType(data, declared.json)) fail('TypeError', `body must be a json ${declared.json}`);
  requireBodyLimits(data);
  if (surrogateEscape.test(text) && !isWellFormed(data)) fail('ValueError', 'The body holds text that is no Unicode.');
  return validate(declared.schema, data, declared.name);
}

function isOfType(data: unknown, type: BodyDeclaration['json']): boolean {
  if (type === 'value') return true;
  if (Array.isArray(data)) return type !== 'dictionary';
  return typeof data === 'object' && data !== null && type !== 'list';
}

function parse(declared: BodyDeclaration, text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    if (declared.json === 'value') fail('JSONDecodeError', 'Expecting value: line 1 column 1 (char 0)');
    return fail('ValueError', `cannot decode json parameter ${declared.called ?? declared.json}`);
  }
}

/** A surrogate written as an escape. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** Whether all texts are well-formed Unicode. The table would not return a lone surrogate unchanged. */
function isWellFormed(data: unknown): boolean {
  if (typeof data === 'string') return data.isWellFormed();
  if (typeof data !== 'object' || data === null) return true;
  return Object.entries(data).every(([key, value]) => key.isWellFormed() && isWellFormed(value));
}

/**
 * Refuses a body that nests too deep or holds too many values. It does not recurse, and stops at the first violation.
 */
function requireBodyLimits(data: unknown): void {
  let values = 0;
  let level = [data];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === maxBodyDepth) fail('ValueError', `The body nests deeper than ${maxBodyDepth} levels.`);
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      const children: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
      values += children.length;
      if (values > maxBodyValues) fail('PayloadTooLarge', `The body holds more than ${maxBodyValues} values.`);
      for (const child of children) next.push(child);
    }
    level = next;
  }
}
