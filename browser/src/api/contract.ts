/** The interface as the contract declares it: which paths there are, and what requests to them send and get. Types only. */
import type * as z from 'zod/mini';

import type { accounts } from '../../../lib/contract/accounts.ts';
import type { archives } from '../../../lib/contract/archives.ts';
import type { auth } from '../../../lib/contract/auth.ts';
import type { browser } from '../../../lib/contract/browser.ts';
import type { config } from '../../../lib/contract/config.ts';
import type { dids } from '../../../lib/contract/dids.ts';
import type { events } from '../../../lib/contract/events.ts';
import type { fleet } from '../../../lib/contract/fleet.ts';
import type { identities } from '../../../lib/contract/identities.ts';
import type { locks } from '../../../lib/contract/locks.ts';
import type { metaConventions } from '../../../lib/contract/meta-conventions.ts';
import type { openapi } from '../../../lib/contract/openapi.ts';
import type { opendata } from '../../../lib/contract/opendata.ts';
import type { ping } from '../../../lib/contract/ping.ts';
import type { replicas } from '../../../lib/contract/replicas.ts';
import type { requests } from '../../../lib/contract/requests.ts';
import type { Group, Method, Parameters } from '../../../lib/contract/route.ts';
import type { rses } from '../../../lib/contract/rses.ts';
import type { rules } from '../../../lib/contract/rules.ts';
import type { scopes } from '../../../lib/contract/scopes.ts';
import type { subscriptions } from '../../../lib/contract/subscriptions.ts';

/** The endpoint groups that the page uses. */
type Groups =
  | typeof accounts
  | typeof archives
  | typeof auth
  | typeof browser
  | typeof config
  | typeof dids
  | typeof events
  | typeof fleet
  | typeof identities
  | typeof locks
  | typeof metaConventions
  | typeof openapi
  | typeof opendata
  | typeof ping
  | typeof replicas
  | typeof requests
  | typeof rses
  | typeof rules
  | typeof scopes
  | typeof subscriptions;

type RoutesOf<G> = G extends Group<infer R> ? R[keyof R] : never;
type AnyRoute = RoutesOf<Groups>;

/** The routes of a method, by path. */
type ByPath<M extends Method> = {
  readonly [R in Extract<AnyRoute, { method: M }> as R['path']]: R;
};
interface ByMethod {
  readonly GET: ByPath<'GET'>;
  readonly POST: ByPath<'POST'>;
  readonly PUT: ByPath<'PUT'>;
  readonly DELETE: ByPath<'DELETE'>;
}

/** A path with its parameters filled in. */
export type Target<P extends string> = string & { readonly declared: P };

/** The declared path of a target. */
export type PathOf<T> = T extends { readonly declared: infer P } ? P : T;

/** Any path of the contract. */
export type AnyPath = AnyRoute['path'];

/** A path of a method without parameters, or with its parameters filled in. */
export type TargetOf<M extends Method> = M extends Method
  ? Exclude<keyof ByMethod[M] & string, `${string}:${string}`> | Target<keyof ByMethod[M] & string>
  : never;

type RouteAt<M extends Method, T> = PathOf<T> extends keyof ByMethod[M] ? ByMethod[M][PathOf<T>] : never;

/** The body that a route answers: a document, a line of a list, or the JSON of a text. */
export type AnswerAt<M extends Method, T> =
  RouteAt<M, T> extends { readonly answer: infer A }
    ? A extends { readonly schema: z.ZodMiniType }
      ? z.input<A['schema']>
      : A extends { readonly replies: infer R }
        ? ContentOf<R[keyof R]>
        : undefined
    : never;

type ContentOf<R> = R extends { readonly content: infer C }
  ? C[keyof C] extends z.ZodMiniType
    ? z.input<C[keyof C]>
    : never
  : never;

/** A row of a list: a line, or an entry of a JSON array. */
export type RowAt<T, M extends Method = 'GET'> = AnswerAt<M, T> extends readonly (infer R)[] ? R : AnswerAt<M, T>;

/** The query of a route: the names that it knows, and its choices. Undefined and empty values are left out. */
export type QueryAt<M extends Method, T> = {
  readonly [Name in keyof DeclaredQuery<RouteAt<M, T>>]?: QueryValue<DeclaredQuery<RouteAt<M, T>>[Name]>;
} & (RouteAt<M, T> extends { readonly pages: unknown }
  ? { readonly limit?: number | undefined; readonly cursor?: string | undefined }
  : unknown);

type DeclaredQuery<R> = R extends { readonly query: infer Q extends z.ZodMiniType } ? z.input<Q> : unknown;

/** A choice, if the route declares one; otherwise whatever becomes its text. */
type QueryValue<Declared> =
  NonNullable<Declared> extends readonly (infer One)[]
    ? QueryValue<One>
    : string extends Declared
      ? Plain
      : NonNullable<Declared> extends string
        ? Declared | '' | undefined
        : Plain;
type Plain = string | number | boolean | undefined;

/** The body of a route. */
export type BodyAt<M extends Method, T> =
  RouteAt<M, T> extends { readonly body: { readonly schema: infer S extends z.ZodMiniType } } ? z.input<S> : undefined;

/** The parameters of a path; a DID is one parameter. */
export type ParametersOf<P extends string> = Parameters<P>;

/** The given type, where names that are not declared are errors. A variable could have such names. */
export type Exactly<Given, Declared> = unknown extends Declared
  ? Given
  : Given & { readonly [Name in Exclude<NamesOf<Given>, NamesOf<Declared>>]?: never };
type NamesOf<T> = T extends unknown ? keyof T & string : never;
