import type { Route } from './route.ts';

/** Whether the answers of a route have an `ETag`. */
export function hasTag({ method, resource }: Route): boolean {
  return method === 'GET' && resource !== undefined;
}

/** Whether a route accepts `If-Match`. */
export function acceptsIfMatch({ method, resource }: Route): boolean {
  return method !== 'GET' && resource !== undefined;
}
