import type { Group } from '../../lib/contract/route.ts';
import { createRouter, type Router } from '../../lib/http/router.ts';

/** Tells whether a request would store something: no reading, no deletion, no log-in. */
export type IsStoring = (group: Group, method: string, path: string) => boolean;

/** Log-ins go on, for those who delete. */
const kept = new Set(['auth', 'ping']);

/** By the routes of the contract. */
export function openStoring(): IsStoring {
  const routers = new Map<Group, Router>();
  return (group, method, path) => {
    if (!['POST', 'PUT'].includes(method) || kept.has(group.name)) return false;
    let router = routers.get(group);
    if (router === undefined) routers.set(group, (router = createRouter(group)));
    try {
      return router(method, path).route.reads !== true;
    } catch {
      // The function says what is wrong with the path.
      return false;
    }
  };
}
