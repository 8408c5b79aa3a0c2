import type * as z from 'zod/mini';

import type { Route } from '../contract/route.ts';
import { longestPage } from '../contract/schemas/paging.ts';
import { openCursor, sealCursor } from '../domain/paging/cursor.ts';
import { type Page, type Placed, type Position, rowsOf } from '../domain/paging/page.ts';
import { toJson } from '../json.ts';
import type { Exchange, GatewayAnswer } from './exchange.ts';
import { respond } from './respond.ts';

/** The rows of a list that can be read in pages. */
export type Rows<T> = AsyncIterable<Placed<T>> | Iterable<Placed<T>>;

/** What the operation of a list in pages returns: rows with positions. */
export type PagedResult<S extends z.ZodMiniType, Kind> = Kind extends 'stream'
  ? Rows<z.input<S>> | Promise<Rows<z.input<S>>>
  : z.input<S> extends readonly (infer Row)[]
    ? Rows<Row> | Promise<Rows<Row>>
    : never;

/**
 * Reads which page of its list a request asks for.
 *
 * @throws InvalidObject (400) when the cursor was given for another list, or never.
 */
export async function readPage(
  exchange: Exchange,
  { limit, cursor }: { readonly limit: number | undefined; readonly cursor: string | undefined },
): Promise<Page> {
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { after: await openCursor(listOf(exchange), cursor) }),
  };
}

/**
 * Builds the answer of a list that can be read in pages. Without a limit it is the whole list, or the rest of it, as it
 * is found; a page is gathered first, since its header says where the next one is.
 */
export async function respondInPages(route: Route, exchange: Exchange, list: Rows<unknown>): Promise<GatewayAnswer> {
  const { limit = Number.POSITIVE_INFINITY } = exchange.page ?? {};
  if (limit > longestPage) return respondWithRows(route, exchange, rowsOf(list, limit));
  const { rows, next } = await gather(limit, list);
  const answer = await respondWithRows(route, exchange, rowsOf(rows));
  if (next !== undefined) answer.headers['Link'] = await linkTo(exchange, limit, next);
  return answer;
}

async function respondWithRows(
  route: Route,
  { mediaType }: Exchange,
  rows: AsyncIterable<unknown>,
): Promise<GatewayAnswer> {
  return respond(route, route.answer.kind === 'json' ? await Array.fromAsync(rows) : rows, mediaType);
}

interface Gathered {
  readonly rows: readonly Placed<unknown>[];
  /** The position to go on after; undefined after the last row. */
  readonly next: Position | undefined;
}

async function gather(limit: number, list: Rows<unknown>): Promise<Gathered> {
  const rows: Placed<unknown>[] = [];
  for await (const row of list) {
    rows.push(row);
    if (rows.length > limit) break;
  }
  return rows.length > limit
    ? { rows: rows.slice(0, limit), next: rows[limit - 1]?.position }
    : { rows, next: undefined };
}

/** What a cursor goes with: the route, its parameters and its query, each in one spelling. */
function listOf({ match, query }: Exchange): string {
  return toJson([match?.id, sortedEntries(match?.params), sortedEntries(query)]);
}

function sortedEntries(object: unknown): [string, unknown][] {
  return Object.entries(object ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** The next page of the same list, as a path from the root of the host (RFC 8288). */
async function linkTo(exchange: Exchange, limit: number, position: Position): Promise<string> {
  const { basePath, path, queryLists } = exchange.http;
  const cursor = await sealCursor(listOf(exchange), position);
  const next = Object.entries({ ...queryLists, limit: [String(limit)], cursor: [cursor] });
  const pairs = next.flatMap(([key, values]) => values.map((value) => `${encode(key)}=${encode(value)}`));
  return `<${(basePath + path).replaceAll(unsafe, encode)}?${pairs.join('&')}>; rel="next"`;
}

/** What may not stand in a path between angle brackets; escapes may. */
const unsafe = /[^\w.~!$&'()*+,;=:@/%-]/gu;

const encode = (text: string) => encodeURIComponent(text.toWellFormed());
