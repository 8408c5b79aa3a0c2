import type { Edge, EdgeRequest } from './exchange.ts';
import type { Router } from './router.ts';

/** Finds the route. An unknown path or method fails here, before the token is checked. */
export function matchRoute(router: Router): Edge {
  const match = ({ context: { exchange } }: EdgeRequest) => {
    exchange.match = router(exchange.http.method, exchange.http.path);
  };
  return { before: match };
}
