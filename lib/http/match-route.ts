import type { Edge, EdgeRequest } from './exchange.ts';
import type { Router } from './router.ts';

/** Finds the route; unknown paths and methods end here, before the token is looked at. */
export function matchRoute(router: Router): Edge {
  const match = ({ context: { exchange } }: EdgeRequest) => {
    exchange.match = router(exchange.http.method, exchange.http.path);
  };
  return { before: match };
}
