import { type CallerName, callerNames } from './caller-names.ts';
import type { Maker } from './maker.ts';

/**
 * Callers that are allowed (spec/access.md 5.2). `owner` owns the scope, is the account that the request is about, made the rule or is the
 * account of the subscription; `country` administers the country of the RSEs.
 */
export const may = {
  /** Everybody; a token, valid or not, makes no difference. */
  open: callerNames,
  /** Every valid token. */
  any: ['root', 'admin', 'owner', 'country', 'other'],
  root: ['root'],
  admin: ['root', 'admin'],
  owner: ['root', 'admin', 'owner'],
  country: ['root', 'admin', 'country'],
  'owner or country': ['root', 'admin', 'owner', 'country'],
  nobody: [],
} as const satisfies Readonly<Record<string, readonly CallerName[]>>;
export type Who = keyof typeof may;

/** A request that is valid except for its caller. */
export interface Attempt {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The path of a GET whose answer refused callers must not change. */
  readonly look?: string;
}

/** A request and who is allowed to send it. */
export interface Row {
  readonly who: Who;
  /** Makes the objects of the request and the request; called again for each caller that changes something. */
  readonly attempt: (make: Maker) => Promise<Attempt> | Attempt;
  /** The status for allowed callers, if it is not a success. */
  readonly status?: number;
  /** The answer to refused callers; by default 401 AccessDenied. */
  readonly refusal?: '403 AccessDenied';
  /** The answer to callers without a token; by default 401 CannotAuthenticate. */
  readonly withoutToken?: '400 ValueError';
  /** Replaces the method of the route. */
  readonly method?: 'HEAD';
}

/** Rows by operation id; several if it depends on the request who is allowed. */
export type Rows = Readonly<Record<string, Row | readonly Row[]>>;

/** A row of a request that needs no objects. */
export function plain(
  who: Who,
  path: (make: Maker) => string,
  more: Partial<Row> & { readonly body?: unknown } = {},
): Row {
  const { body, ...settings } = more;
  return { who, attempt: (make) => ({ path: path(make), ...(body === undefined ? {} : { body }) }), ...settings };
}
