import type * as z from 'zod/mini';

import { queryOf } from '../contract/query.ts';
import type { BodyDeclaration, Route } from '../contract/route.ts';
import { fail } from '../errors.ts';
import { parseJson } from '../json.ts';
import type { Edge, EdgeRequest, Exchange } from './exchange.ts';
import { readPage } from './paging.ts';
import type { HttpRequest } from './request.ts';
import { validate } from './validate.ts';

/** The longest body that is read, in characters: what API Gateway lets through to a function is less than this. */
const longestBody = 10 * 1024 * 1024;

/** How deep a body may nest; real ones reach 6. */
const deepestBody = 32;

/** How many values a body may hold, as many as 40,000 DIDs: to name what is wrong with each costs more than to read it. */
const mostValues = 250_000;

/** Reads and checks the query and the body of a request, so that an operation never sees anything unchecked. */
export function readInput(): Edge {
  const read = async ({ context: { exchange } }: EdgeRequest) => {
    const route = exchange.match?.route;
    if (route !== undefined) await readQuery(route, exchange);
    if (route?.body !== undefined) exchange.body = readBody(route.body, exchange.http.body);
  };
  return { before: read };
}

/** Reads the query; what it says of paging is kept apart from what the route itself declares. */
async function readQuery(route: Route, exchange: Exchange): Promise<void> {
  const declared = queryOf(route);
  if (declared === undefined) return;
  const query = validate(declared, queryFor(declared, exchange.http), 'query');
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

/** A query as its schema wants it: all values of the parameters that are lists, the first of every other. */
function queryFor({ shape }: z.ZodMiniObject, { query, queryLists }: HttpRequest): Record<string, unknown> {
  const lists = Object.entries(shape).filter(([, type]) => isList(type));
  if (lists.length === 0) return query;
  return { ...query, ...Object.fromEntries(lists.map(([key]) => [key, queryLists[key] ?? []])) };
}

function isList({ _zod: { def } }: z.core.$ZodType): boolean {
  return def.type === 'array' || (def.type === 'default' && isList((def as z.core.$ZodDefaultDef).innerType));
}

/**
 * Parses a body as JSON, whatever its Content-Type says, and checks it (spec/dids.md 1.7).
 *
 * @throws ValueError, TypeError, KeyError, InvalidObject (400); PayloadTooLarge (413).
 */
export function readBody(declared: BodyDeclaration, text: string): unknown {
  if (text.length > longestBody) fail('PayloadTooLarge', `The body is longer than ${longestBody} characters.`);
  const data = declared.optional === true && text === '' ? {} : parse(declared, text);
  const list = Array.isArray(data);
  const object = typeof data === 'object' && data !== null && !list;
  if (!(object && declared.json !== 'list') && !(list && declared.json !== 'dictionary')) {
    fail('TypeError', `body must be a json ${declared.json}`);
  }
  refuseTooMuch(data);
  if (mayBeIllFormed.test(text) && !isWellFormed(data)) fail('ValueError', 'The body holds text that is no Unicode.');
  return validate(declared.schema, data, declared.name);
}

function parse(declared: BodyDeclaration, text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return fail('ValueError', `cannot decode json parameter ${declared.called ?? declared.json}`);
  }
}

/** Half a character, written as an escape. */
const mayBeIllFormed = /\\u[dD][89a-fA-F]/;

/** Whether all texts are Unicode: halves of characters cannot be read back from the table. */
function isWellFormed(data: unknown): boolean {
  if (typeof data === 'string') return data.isWellFormed();
  if (typeof data !== 'object' || data === null) return true;
  return Object.entries(data).every(([key, value]) => key.isWellFormed() && isWellFormed(value));
}

/** Refuses what nests too deep or holds too many values, without recursion and without looking at all of it. */
function refuseTooMuch(data: unknown): void {
  let values = 0;
  let level = [data];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === deepestBody) fail('ValueError', `The body nests deeper than ${deepestBody} levels.`);
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      const children: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
      values += children.length;
      if (values > mostValues) fail('PayloadTooLarge', `The body holds more than ${mostValues} values.`);
      for (const child of children) next.push(child);
    }
    level = next;
  }
}
