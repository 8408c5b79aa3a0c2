import type { Maker } from './maker.ts';

/** Everybody who calls each route. */
export const callerNames = [
  'root',
  'admin',
  'owner',
  'country',
  'other',
  'anonymous',
  'suspended',
  'expired',
  'tampered',
] as const;
export type CallerName = (typeof callerNames)[number];

/**
 * Who may (spec/access.md 5.2). `owner` owns the scope, is the account that the request is about, made the rule or is the
 * account of the subscription; `country` administers the country of the RSEs.
 */
export const may = {
  /** Without a token; a token, good or bad, makes no difference. */
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

/** A request to the route of a row, good but for who sends it. */
export interface Attempt {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** What is looked at before and after the refused callers: it must not have changed. */
  readonly look?: string;
}

/** Who may send a request. */
export interface Row {
  readonly who: Who;
  /** Makes what the request is about and the request; called again for each caller whose request changes something. */
  readonly attempt: (make: Maker) => Promise<Attempt> | Attempt;
  /** What is answered to those who may, where it is no success. */
  readonly status?: number;
  /** The answer to those who may not; 401 AccessDenied. */
  readonly refusal?: '403 AccessDenied';
  /** The answer to those who show no token; 401 CannotAuthenticate. */
  readonly withoutToken?: '400 ValueError';
  /** In place of the route's own method. */
  readonly method?: 'HEAD';
}

/** Rows by operation id; several where it depends on the request who may. */
export type Rows = Readonly<Record<string, Row | readonly Row[]>>;

/** A row of a request that needs nothing made. */
export function plain(
  who: Who,
  path: (make: Maker) => string,
  more: Partial<Row> & { readonly body?: unknown } = {},
): Row {
  const { body, ...settings } = more;
  return { who, attempt: (make) => ({ path: path(make), ...(body === undefined ? {} : { body }) }), ...settings };
}
