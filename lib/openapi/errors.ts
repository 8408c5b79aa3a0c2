import { acceptsIdempotencyKey } from '../contract/idempotency.ts';
import { acceptsIfMatch } from '../contract/preconditions.ts';
import { queryOf } from '../contract/query.ts';
import type { Route } from '../contract/route.ts';
import { errorStatus, type ErrorName } from '../errors.ts';

/** An error that a route may answer. */
export interface RouteError {
  readonly name: ErrorName;
  readonly status: number;
}

/**
 * Every error that a route may answer, in order of status and name: its declared errors and those of lib/http. A status
 * that the route declares applies to both.
 */
export function errorsOf(route: Route): readonly RouteError[] {
  const declared = new Map(Object.entries({ ...route.errors }) as [ErrorName, number][]);
  const pairs = [
    ...declared,
    ...(route.otherErrors ?? []),
    ...edgeErrors(route).map((name) => [name, declared.get(name) ?? errorStatus[name]] as const),
  ];
  const unique = new Map(pairs.map(([name, status]) => [`${status} ${name}`, { name, status }]));
  return [...unique].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, error]) => error);
}

const keyErrors = ['InvalidObject', 'IdempotencyKeyInUse', 'IdempotencyKeyMismatch', 'PayloadTooLarge'] as const;

function bodyErrors({ body }: Route): readonly ErrorName[] {
  if (body === undefined) return [];
  if (body.json === 'value') return ['JSONDecodeError', 'ValueError', 'PayloadTooLarge'];
  return ['InvalidObject', 'KeyError', 'TypeError', 'ValueError', 'PayloadTooLarge'];
}

/** The errors that lib/http answers before and after the operation. */
function edgeErrors(route: Route): readonly ErrorName[] {
  return [
    ...(route.path.includes(':') ? (['ValueError'] as const) : []),
    ...(queryOf(route) === undefined ? [] : (['InvalidObject', 'KeyError', 'TypeError'] as const)),
    ...bodyErrors(route),
    ...(route.permission === 'open' ? [] : (['CannotAuthenticate'] as const)),
    ...(route.accept === undefined ? [] : (['UnsupportedRequestedContentType'] as const)),
    ...(acceptsIdempotencyKey(route) ? keyErrors : []),
    ...(acceptsIfMatch(route) ? (['PreconditionFailed', 'PayloadTooLarge'] as const) : []),
    'RucioException',
    'ResourceTemporaryUnavailable',
  ];
}
