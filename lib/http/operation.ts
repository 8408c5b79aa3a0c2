import type * as z from 'zod/mini';

import type { Answer, Parameters, Route, Routes } from '../contract/route.ts';
import type { Page } from '../domain/paging/page.ts';
import type { AnonymousContext, Context, GuestContext } from '../domain/values/context.ts';
import type { EventBatch } from './event-stream.ts';
import type { PagedResult } from './paging.ts';
import type { CreatedReply, TextReply } from './respond.ts';

type QueryOf<R extends Route> = R['query'] extends z.ZodMiniType ? z.output<R['query']> : undefined;
type BodyOf<R extends Route> = R['body'] extends { readonly schema: infer S extends z.ZodMiniType }
  ? z.output<S>
  : undefined;

/** The input of an operation, parsed and validated. */
export interface Input<R extends Route> {
  readonly params: Parameters<R['path']>;
  readonly query: QueryOf<R>;
  /** The undeclared query, for routes that accept any key. */
  readonly rawQuery: Readonly<Record<string, string>>;
  readonly body: BodyOf<R>;
  /** The requested part of the list; for routes with pages. */
  readonly page: R extends { readonly pages: unknown } ? Page : undefined;
  /** By lower-case name; for the routes whose parameters are headers. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * When the answer must end, in milliseconds since 1970. Undefined where the platform collects the answer first:
   * waiting for more would only delay it.
   */
  readonly deadline: number | undefined;
  /** The caller prefers a metalink, and the route offers one. */
  readonly wantsMetalink: boolean;
  /** The part of the URL before the path: the gateway's stage, or nothing. */
  readonly basePath: string;
  readonly sourceIp: string;
  /** Subject of the client's certificate. Only mutual TLS at the gateway sets it. */
  readonly certificateDn: string | undefined;
}

type ResultOf<R extends Route> = R extends { readonly pages: unknown }
  ? PagedResult<R['answer']>
  : PlainResult<R['answer']>;

type PlainResult<A extends Answer> = A extends {
  readonly kind: 'stream';
  readonly schema: infer S extends z.ZodMiniType;
}
  ? AsyncIterable<z.input<S>> | Promise<AsyncIterable<z.input<S>>>
  : A extends { readonly kind: 'json'; readonly schema: infer S extends z.ZodMiniType }
    ? Promise<z.input<S>> | z.input<S>
    : A extends { readonly kind: 'text' }
      ? Promise<TextReply>
      : A extends { readonly kind: 'redirect' }
        ? Promise<CreatedReply> | CreatedReply
        : A extends { readonly kind: 'events' }
          ? Promise<AsyncIterable<EventBatch>>
          : Promise<void>;

type ContextOf<R extends Route> = R['permission'] extends 'open'
  ? R extends { readonly token: 'optional' }
    ? GuestContext
    : AnonymousContext
  : Context;

/** The function behind a route. It compiles only if contract and domain agree. */
export type Operation<R extends Route> = (context: ContextOf<R>, input: Input<R>) => ResultOf<R>;

/**
 * An operation in two parts, for answers that hold more than the operation decides. The decision is stored for repeated
 * requests, and each of them presents it in the same way.
 */
export interface PresentedOperation<R extends Route> {
  readonly run: (context: ContextOf<R>, input: Input<R>) => Promise<unknown>;
  /** Makes the result from what `run` returned; for a repeated request the decision was JSON in between. */
  readonly present: (
    decided: unknown,
    input: Input<R>,
  ) => R['answer']['kind'] extends 'created' | 'created-empty' ? CreatedReply : Awaited<ResultOf<R>>;
}

/** One operation for each route of a group. */
export type Operations<R extends Routes> = {
  readonly [Id in keyof R]: Operation<R[Id]> | PresentedOperation<R[Id]>;
};

type Perform = (context: AnonymousContext, input: unknown) => unknown;
type Present = (decided: unknown, input: unknown) => unknown;
/** An operation without the types of its route. */
export type BoundOperation = Perform | { readonly run: Perform; readonly present: Present };

/** The two parts of an operation; one that has no second part presents its decision as it is. */
export function splitOperation(bound: BoundOperation): { readonly perform: Perform; readonly present: Present } {
  return typeof bound === 'function'
    ? { perform: bound, present: (decided) => decided }
    : { perform: bound.run, present: bound.present };
}
