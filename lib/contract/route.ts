import type * as z from 'zod/mini';

import type { ErrorName } from '../errors.ts';
import type { DidKey } from './schemas/did.ts';

/** The methods that Rucio's routes use. HEAD follows GET, OPTIONS is answered by the edge for every path. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * What a route answers when it succeeds.
 *
 * - `json`: one JSON document, `application/json`.
 * - `stream`: one JSON value per line, `application/x-json-stream` unless another media type is named; for who asks for it
 *   a metalink in its place, where the route offers one.
 * - `created`: 201 with the text `Created`; `created-empty`: 201 without a body (interface document, 4.1).
 * - `empty`: 200 without a body.
 * - `text`: a text of the named media type, with the headers and the status that the operation chooses among `replies`;
 *   without those it is a plain 200.
 * - `redirect`: 303 to the location that the operation returns.
 * - `events`: server-sent events, `text/event-stream`, for as long as the caller listens; the schema is that of their data.
 */
export type Answer =
  | { readonly kind: 'json'; readonly schema: z.ZodMiniType }
  | {
      readonly kind: 'stream';
      readonly schema: z.ZodMiniType;
      readonly mediaType?: 'application/json';
      readonly metalink?: Metalink;
    }
  | { readonly kind: 'events'; readonly schema: z.ZodMiniType }
  | { readonly kind: 'created' | 'created-empty' | 'empty' | 'redirect' }
  | { readonly kind: 'text'; readonly mediaType: string; readonly replies?: Readonly<Record<number, Reply>> };

/** How the lines of a list of replicas are written as a metalink (spec/replication.md 1.4, 1.5). */
export interface Metalink {
  /** What the global names of files begin with. */
  readonly community: string;
  /** Says of each PFN of which domain it is and whether the client has to extract the file. */
  readonly detailed: boolean;
}

/** One of the successes of a `text` route, for the documentation: what its status says and the headers it comes with. */
export interface Reply {
  readonly description: string;
  readonly headers?: z.ZodMiniObject;
  /** JSON bodies by media type; absent: a text of the route's media type. */
  readonly content?: Readonly<Record<string, z.ZodMiniType>>;
}

/** The request body of a route: its schema and its names in Rucio's error messages (spec/dids.md 1.7). */
export interface BodyDeclaration<S extends z.ZodMiniType = z.ZodMiniType> {
  readonly schema: S;
  /** What the body is. */
  readonly json: 'dictionary' | 'list' | 'dictionary or list';
  /** What a body that is no JSON is called in the message, where Rucio says less than `json`. */
  readonly called?: 'dictionary';
  /** Rucio's name of the schema in `Problem validating <name>: ...`. */
  readonly name: string;
  /** An absent body is read as an empty object. */
  readonly optional?: boolean;
}

/** One route, as data. The router, the gateway, the local server, OpenAPI and the tests all read this. */
export interface Route {
  readonly method: Method;
  /** Full path in rou3 form: `:name` is one segment, `**:name` one or more; `**:scope_name` is a DID. */
  readonly path: string;
  readonly summary: string;
  /** Rucio has no such route. `docs/compatibility.md` lists these apart. */
  readonly isExtension?: true;
  /** Who may call: `open` needs no token, `any` a valid token, everything else is an action of the permission table. */
  readonly permission: string;
  /** With `open`: a token is read where there is one, and a bad one counts as none. */
  readonly token?: 'optional';
  /** The media types of which the `Accept` header must allow one, the first by default; absent: not checked. */
  readonly accept?: string | readonly string[];
  readonly query?: z.ZodMiniObject;
  /** The headers that are parameters, for the documentation: the operation reads and checks them itself. */
  readonly headers?: z.ZodMiniObject;
  readonly body?: BodyDeclaration;
  readonly answer: Answer;
  /**
   * The list, a `stream` or a JSON array, can be read in pages: the query takes `limit` and `cursor`, and the header
   * `Link` leads to the next page (docs/api.md). With an object: how this list reads `limit`, where that is another way.
   */
  readonly pages?: true | { readonly limit: z.ZodMiniType<number | undefined> };
  /**
   * What of the catalogue that has revisions the path names: a GET says its `ETag` and takes `If-None-Match`, a write takes
   * `If-Match`.
   */
  readonly resource?: 'did' | 'rule' | 'rse' | 'subscription' | 'option';
  /** A GET that writes all the same, so that its function may. */
  readonly writes?: true;
  /** A POST that only reads: its parameters are too many for a query. */
  readonly reads?: true;
  /** Errors of the domain that this route can answer, with their status. Those of every route are left out. */
  readonly errors?: Partial<Record<ErrorName, number>>;
  /** Further statuses of a class, of the few answers whose status depends on more than the class. */
  readonly otherErrors?: readonly (readonly [name: ErrorName, status: number])[];
}

/** Routes by operation id. */
export type Routes = Readonly<Record<string, Route>>;

/** An endpoint group: one Lambda function, two gateway resources per prefix. */
export interface Group<R extends Routes = Routes> {
  readonly name: string;
  /** The first path segments that the group serves, each with its leading slash. */
  readonly prefixes: readonly string[];
  readonly routes: R;
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
