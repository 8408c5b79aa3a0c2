import * as z from 'zod/mini';

import type { Route } from './route.ts';
import { pageCursor, pageLimit } from './schemas/paging.ts';

const known = new WeakMap<Route, z.ZodMiniObject>();

/** The whole query of a route: its declared parameters and, for a list with pages, `limit` and `cursor`. */
export function queryOf(route: Route): z.ZodMiniObject | undefined {
  if (route.pages === undefined) return route.query;
  const found = known.get(route) ?? withPaging(route.query ?? z.object({}), route.pages);
  known.set(route, found);
  return found;
}

function withPaging(query: z.ZodMiniObject, pages: NonNullable<Route['pages']>): z.ZodMiniObject {
  return z.safeExtend(query, { limit: pages === true ? pageLimit : pages.limit, cursor: pageCursor });
}
