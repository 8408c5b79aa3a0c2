import type { Group, Route, Routes } from '../contract/route.ts';
import { RucioError } from '../errors.ts';
import { decodeSegment, normaliseDidPath, parseScopeName } from './request.ts';
import { spellRoot } from './root-path.ts';
import { RouteTable } from './route-table.ts';

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
 * Builds the router of a group. The GET route also answers HEAD, and slashes may be repeated or left out at the end of a path (`RouteTable`).
 *
 * The returned function throws NotFound (404) for an unknown path and MethodNotAllowed (405, with `Allow`) for an
 * unknown method of a known path.
 */
export function createRouter<R extends Routes>(group: Group<R>): Router {
  const routes = Object.entries<Route>(group.routes);
  const table = new RouteTable(routes.map(([id, route]) => [route, { id, route }]));
  const namesDids = routes.some(([, { path }]) => path.includes('**:scope_name'));

  return (method, wirePath) => {
    const spelt = spellRoot(wirePath);
    const path = namesDids ? normaliseDidPath(spelt) : spelt;
    const found = table.find(method === 'HEAD' ? 'GET' : method, path);
    if (found !== undefined) return { ...found.value, params: decode(found.params) };
    const allowed = methods.filter((other) => table.find(other, path) !== undefined);
    if (allowed.length === 0) {
      throw new RucioError('NotFound', 'The requested URL was not found on the server.');
    }
    if (allowed.includes('GET')) allowed.push('HEAD');
    throw new RucioError('MethodNotAllowed', `The method ${method} is not allowed for the requested URL.`, {
      headers: { Allow: [...allowed, 'OPTIONS'].join(', ') },
    });
  };
}

function decode(raw: Readonly<Record<string, string>>): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (name === 'scope_name') params['did'] = parseScopeName(value);
    else params[name] = decodeSegment(value);
  }
  return params;
}
