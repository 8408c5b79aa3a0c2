import type * as z from 'zod/mini';

import type { ErrorName } from '../errors.ts';
import type { DidKey } from './schemas/did.ts';

/** The methods of Rucio's routes. The GET route also answers HEAD; lib/http answers OPTIONS for every path. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * The answer of a route when it succeeds.
 *
 * - `json`: one JSON document, `application/json`; `compact`: without blanks, where Rucio has none.
 * - `listing`: one JSON document with the list among its members; `rows` names the member.
 * - `stream`: one JSON value per line, `application/x-json-stream` unless another media type is named. If the route
 *   declares a metalink, clients can ask for that instead.
 * - `created`: 201 with the text `Created`; `created-empty`: 201 without a body.
 * - `empty`: 200 without a body.
 * - `text`: a text of the named media type. The operation chooses headers and status among `replies`; without those it
 *   is a plain 200.
 * - `redirect`: 303 to the location that the operation returns.
 * - `events`: server-sent events, `text/event-stream`, until the client disconnects; the schema is that of their data.
 */
export type Answer =
  | { readonly kind: 'json'; readonly schema: z.ZodMiniType; readonly compact?: true }
  | { readonly kind: 'listing'; readonly schema: z.ZodMiniType; readonly rows: string }
  | {
      readonly kind: 'stream';
      readonly schema: z.ZodMiniType;
      readonly mediaType?: 'application/json';
      readonly metalink?: Metalink;
    }
  | { readonly kind: 'events'; readonly schema: z.ZodMiniType }
  | { readonly kind: 'created' | 'created-empty' | 'empty' | 'redirect' }
  | { readonly kind: 'text'; readonly mediaType: string; readonly replies?: Readonly<Record<number, Reply>> };

/** How a list of replicas is written as a metalink (spec/replication.md 1.4, 1.5). */
export interface Metalink {
  /** The first part of the global names of files. */
  readonly community: string;
  /** Adds to each PFN its domain and whether the client has to extract the file. */
  readonly detailed: boolean;
}

/** A successful answer of a `text` route, for the documentation: the meaning of its status, and its headers. */
export interface Reply {
  readonly description: string;
  readonly headers?: z.ZodMiniObject;
  /** JSON bodies by media type; absent: a text of the route's media type. */
  readonly content?: Readonly<Record<string, z.ZodMiniType>>;
}

/** The request body of a route: its schema and its names in Rucio's error messages (spec/dids.md 1.7). */
export interface BodyDeclaration<S extends z.ZodMiniType = z.ZodMiniType> {
  readonly schema: S;
  /** The JSON type of the body; `value`: any type; a body that is no JSON is a `JSONDecodeError`. */
  readonly json: 'dictionary' | 'list' | 'dictionary or list' | 'value';
  /** The type that the error for invalid JSON names, where Rucio names fewer types than `json`. */
  readonly called?: 'dictionary';
  /** Rucio's name of the schema in `Problem validating <name>: ...`. */
  readonly name: string;
  /** An absent body is read as an empty object. */
  readonly optional?: boolean;
}

/** One route, as data. Router, gateway, local server, OpenAPI document and tests all read it. */
export interface Route {
  readonly method: Method;
  /**
   * Full path: `:name` is one segment, `**:name` one or more; `**:scope_name` is a DID. Requests may leave out or repeat a
   * slash at the end; behind a DID at the end only if the path has one there.
   */
  readonly path: string;
  readonly summary: string;
  /** Rucio has no such route. `docs/compatibility.md` lists these apart. */
  readonly isExtension?: true;
  /** The required right: `open` needs no token, `any` a valid token, everything else is an action of the permission table. */
  readonly permission: string;
  /** With `open`: a token is read if there is one; an invalid one counts as none. */
  readonly token?: 'optional';
  /**
   * The media types that the answer can have, the first by default; `Accept` must allow one of them. Absent: not
   * checked.
   */
  readonly accept?: string | readonly string[];
  readonly query?: z.ZodMiniObject;
  /** The headers that are parameters, for the documentation; the operation reads and validates them. */
  readonly headers?: z.ZodMiniObject;
  readonly body?: BodyDeclaration;
  readonly answer: Answer;
  /**
   * The list, a `stream` or a JSON array, has pages: the query accepts `limit` and `cursor`, and the header `Link`
   * points to the next page (docs/api.md). An object replaces the schema of `limit`.
   */
  readonly pages?: true | { readonly limit: z.ZodMiniType<number | undefined> };
  /**
   * The resource with revisions that the path names: a GET answers its `ETag` and accepts `If-None-Match`, a write
   * accepts `If-Match`.
   */
  readonly resource?: 'did' | 'rule' | 'rse' | 'subscription' | 'option';
  /** The document grows with the catalogue, so its group streams: a platform that collects answers first has a limit of 6 MB. */
  readonly isLarge?: true;
  /** A GET with side effects: grants its function write access. */
  readonly writes?: true;
  /** A POST without side effects: its parameters are too many for a query. */
  readonly reads?: true;
  /** Each request takes effect by itself, also a repeated one: no `Idempotency-Key`. */
  readonly isKeyless?: true;
  /** The domain errors of this route, with their status; errors of every route are not listed. */
  readonly errors?: Partial<Record<ErrorName, number>>;
  /** Further statuses of an error whose status depends on more than its class. */
  readonly otherErrors?: readonly (readonly [name: ErrorName, status: number])[];
}

/** Routes by operation id. */
export type Routes = Readonly<Record<string, Route>>;

/** An endpoint group: one Lambda function, two gateway resources for each prefix. */
export interface Group<R extends Routes = Routes> {
  readonly name: string;
  /** The first path segments of the group, each with its leading slash. */
  readonly prefixes: readonly string[];
  readonly routes: R;
}

/** Whether answers of a group can be as long as the catalogue is large: lists, events, and documents that say so. */
export function hasLongAnswers({ routes }: Group): boolean {
  return Object.values(routes).some(
    ({ answer: { kind }, pages, isLarge }) =>
      kind === 'stream' || kind === 'events' || kind === 'listing' || pages !== undefined || isLarge === true,
  );
}

/** Declares an endpoint group without widening the types of its routes. */
export function group<const R extends Routes>(name: string, prefixes: readonly string[], routes: R): Group<R> {
  return { name, prefixes, routes };
}

type ParameterName<P extends string> = P extends `${infer Head}/${infer Tail}`
  ? ParameterName<Head> | ParameterName<Tail>
  : P extends `**:${infer Name}` | `:${infer Name}`
    ? Name
    : never;

/** The decoded path parameters of a route; `**:scope_name` arrives as `did`. */
export type Parameters<P extends string> = {
  readonly [K in Exclude<ParameterName<P>, 'scope_name'>]: string;
} & ('scope_name' extends ParameterName<P> ? { readonly did: DidKey } : unknown);
