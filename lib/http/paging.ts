import type * as z from 'zod/mini';

import type { Route } from '../contract/route.ts';
import { maxPageRows } from '../contract/schemas/paging.ts';
import { openCursor, sealCursor } from '../domain/paging/cursor.ts';
import { type Page, type Placed, type Position, rowsOf } from '../domain/paging/page.ts';
import { toJson } from '../json.ts';
import type { Exchange, GatewayAnswer } from './exchange.ts';
import { respond } from './respond.ts';

/** The rows of a list with pages. */
export type Rows<T> = AsyncIterable<Placed<T>> | Iterable<Placed<T>>;

/** A document with pages: its list, and its other members. */
export interface Listing<T, Head> {
  readonly head: Head;
  readonly rows: Rows<T>;
}

/** The result of an operation with pages: rows with their positions. */
export type PagedResult<A> = A extends { readonly kind: infer Kind; readonly schema: infer S extends z.ZodMiniType }
  ? Kind extends 'stream'
    ? Rows<z.input<S>> | Promise<Rows<z.input<S>>>
    : z.input<S> extends readonly (infer Row)[]
      ? Rows<Row> | Promise<Rows<Row>>
      : A extends { readonly rows: infer Member extends string }
        ? ListingResult<z.input<S>, Member>
        : never
  : never;

type ListingResult<Document, Member extends string> =
  Document extends Readonly<Record<Member, readonly (infer Row)[]>>
    ? Promise<Listing<Row, Omit<Document, Member>>>
    : never;

/**
 * Reads which page of its list a request asks for.
 *
 * @throws InvalidObject (400) for a cursor of another list and for an invalid one.
 */
export async function readPage(
  exchange: Exchange,
  { limit, cursor }: { readonly limit: number | undefined; readonly cursor: string | undefined },
): Promise<Page> {
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { after: await openCursor(identifyList(exchange), cursor) }),
  };
}

/**
 * Builds the answer of a list with pages. Without a limit it streams the whole list, or the rest of it. A page is
 * collected first, since its header links to the next one.
 */
export async function respondInPages(
  route: Route,
  exchange: Exchange,
  result: Rows<unknown> | Listing<unknown, object>,
): Promise<GatewayAnswer> {
  const { rows: list, head } = 'head' in result ? result : { rows: result, head: undefined };
  const { limit = Number.POSITIVE_INFINITY } = exchange.page ?? {};
  if (limit > maxPageRows) return respondWithRows(route, exchange, rowsOf(list, limit), head);
  const { rows, next } = await collectPage(limit, list);
  const answer = await respondWithRows(route, exchange, rowsOf(rows), head);
  if (next !== undefined) answer.headers['Link'] = await makeNextLink(exchange, limit, next);
  return answer;
}

async function respondWithRows(
  route: Route,
  { mediaType }: Exchange,
  rows: AsyncIterable<unknown>,
  head: object | undefined,
): Promise<GatewayAnswer> {
  if (route.answer.kind === 'stream') return respond(route, rows, mediaType);
  const list = await Array.fromAsync(rows);
  const document = route.answer.kind === 'listing' ? { ...head, [route.answer.rows]: list } : list;
  return respond(route, document, mediaType);
}

interface CollectedPage {
  readonly rows: readonly Placed<unknown>[];
  /** The position after which the next page begins; undefined after the last row. */
  readonly next: Position | undefined;
}

async function collectPage(limit: number, list: Rows<unknown>): Promise<CollectedPage> {
  const rows: Placed<unknown>[] = [];
  for await (const row of list) {
    rows.push(row);
    if (rows.length > limit) break;
  }
  return rows.length > limit
    ? { rows: rows.slice(0, limit), next: rows[limit - 1]?.position }
    : { rows, next: undefined };
}

/** Identifies the list of a cursor: route, parameters and query, each in canonical form. */
function identifyList({ match, query }: Exchange): string {
  return toJson([match?.id, sortedEntries(match?.params), sortedEntries(query)]);
}

function sortedEntries(object: unknown): [string, unknown][] {
  return Object.entries(object ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** The URL of the next page, as a path from the root of the host (RFC 8288). */
async function makeNextLink(exchange: Exchange, limit: number, position: Position): Promise<string> {
  const { basePath, path, queryLists } = exchange.http;
  const cursor = await sealCursor(identifyList(exchange), position);
  const next = Object.entries({ ...queryLists, limit: [String(limit)], cursor: [cursor] });
  const pairs = next.flatMap(([key, values]) => values.map((value) => `${encode(key)}=${encode(value)}`));
  return `<${(basePath + path).replaceAll(unsafe, encode)}?${pairs.join('&')}>; rel="next"`;
}

/** Characters that a path between angle brackets must escape; existing escapes stay. */
const unsafe = /[^\w.~!$&'()*+,;=:@/%-]/gu;

const encode = (text: string) => encodeURIComponent(text.toWellFormed());
