import type { Group } from '../contract/route.ts';
import type { Edge, EdgeRequest, GatewayAnswer } from './exchange.ts';
import type { HttpRequest } from './request.ts';
import { firstSegment, spellRoot } from './root-path.ts';
import { createRouter } from './router.ts';

/**
 * Finds the route. An unknown path or method fails here, before the token is checked.
 *
 * A path that only spells the beginning of another group's path in its own way is redirected there: a gateway that matches its
 * resources byte by byte sends it to the function for everything else.
 */
export function matchRoute(group: Group): Edge {
  const router = createRouter(group);
  const match = ({ context: { exchange } }: EdgeRequest): GatewayAnswer | undefined => {
    const { http } = exchange;
    const location = findElsewhere(group, http);
    if (location !== undefined) return { statusCode: 308, headers: { Location: location }, body: '' };
    exchange.match = router(http.method, http.path);
    return undefined;
  };
  return { before: match };
}

/** The first segment of a route. Only such a path is redirected: a browser would take `/\\host` for another host. */
const prefix = /^\/[\w.-]+$/;

function findElsewhere({ prefixes }: Group, { path, basePath, queryLists }: HttpRequest): string | undefined {
  const spelt = spellRoot(path);
  const first = firstSegment(spelt);
  if (spelt === path || prefixes.includes(first) || !prefix.test(first)) return undefined;
  const query = new URLSearchParams(
    Object.entries(queryLists).flatMap(([key, values]) => values.map((value): [string, string] => [key, value])),
  );
  return `${basePath}${spelt}${query.size === 0 ? '' : `?${query.toString()}`}`;
}
