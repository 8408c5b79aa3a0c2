import { addRoute, createRouter as createTable, findRoute } from 'rou3';

import type { Group, Route, Routes } from '../contract/route.ts';
import { RucioError } from '../errors.ts';
import { decodeSegment, normaliseDidPath, parseScopeName } from './request.ts';

/** The route of a request, with its operation id and its decoded path parameters. */
export interface Match {
  readonly id: string;
  readonly route: Route;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Finds the route of a method and an encoded path. */
export type Router = (method: string, path: string) => Match;

const methods = ['GET', 'POST', 'PUT', 'DELETE'];

/**
 * Builds the router of a group. The GET route also answers HEAD, and a final slash in a path is optional.
 *
 * The returned function throws NotFound (404) for an unknown path and MethodNotAllowed (405, with `Allow`) for an
 * unknown method of a known path.
 */
export function createRouter<R extends Routes>(group: Group<R>): Router {
  const table = createTable<{ id: string; route: Route }>();
  for (const [id, route] of Object.entries(group.routes)) addRoute(table, route.method, route.path, { id, route });

  const namesDids = Object.values<Route>(group.routes).some((route) => route.path.includes('**:scope_name'));

  return (method, wirePath) => {
    const path = namesDids ? normaliseDidPath(wirePath) : wirePath;
    const found = findRoute(table, method === 'HEAD' ? 'GET' : method, path);
    if (found !== undefined) return { ...found.data, params: decode(found.data.route, found.params ?? {}, path) };
    const allowed = methods.filter((other) => findRoute(table, other, path) !== undefined);
    if (allowed.length === 0) {
      throw new RucioError('NotFound', 'The requested URL was not found on the server.');
    }
    if (allowed.includes('GET')) allowed.push('HEAD');
    throw new RucioError('MethodNotAllowed', `The method ${method} is not allowed for the requested URL.`, {
      headers: { Allow: [...allowed, 'OPTIONS'].join(', ') },
    });
  };
}

function decode(route: Route, raw: Record<string, string>, path: string): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (name !== 'scope_name') params[name] = decodeSegment(value);
    // The router drops a trailing slash, which belongs to the name if the route ends with a DID.
    else params['did'] = parseScopeName(route.path.endsWith(':scope_name') && path.endsWith('/') ? `${value}/` : value);
  }
  return params;
}
