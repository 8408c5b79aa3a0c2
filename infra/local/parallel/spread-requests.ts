import { addRoute, createRouter, findRoute } from 'rou3';

import { groups } from '../../../lib/contract/index.ts';
import type { Route } from '../../../lib/contract/route.ts';
import type { RunFunction } from '../run-function.ts';
import type { WorkerPool } from './worker-pool.ts';

/** Requests with a shorter body and a shorter answer cost less than the messages between two threads. */
const minBytes = 32 * 1024;

/** The weight of the latest answer in the mean of a route. */
const weightOfLatest = 1 / 8;

/**
 * Runs requests with long bodies or long answers in worker threads while the main thread is busy. A request goes to the
 * thread with the fewest of them.
 */
export function spreadRequests(pool: WorkerPool): (here: RunFunction) => RunFunction {
  const findMovable = makeRouteFinder();
  const meanAnswerBytes = new Map<Route, number>();
  let load = 0;
  return (here) => async (group, event, sink) => {
    const route = findMovable(event.httpMethod, event.path);
    const mean = route === undefined ? 0 : (meanAnswerBytes.get(route) ?? 0);
    const isLong = route !== undefined && Math.max(mean, event.body?.length ?? 0) >= minBytes;
    const runThere = isLong && load > 0 ? pool.findRunner(load) : undefined;
    if (runThere === undefined) load += 1;
    try {
      return await (runThere ?? here)(group, event, sink);
    } finally {
      if (runThere === undefined) load -= 1;
      if (route !== undefined) meanAnswerBytes.set(route, mean + (sink.bytes - mean) * weightOfLatest);
    }
  };
}

/** Finds the route of a request that may run anywhere: streams of events stay with the engine that tells of changes. */
function makeRouteFinder(): (method: string, path: string) => Route | undefined {
  const router = createRouter<Route>();
  for (const { routes } of groups) {
    for (const route of Object.values(routes)) {
      if (route.answer.kind !== 'events') addRoute(router, route.method, route.path, route);
    }
  }
  return (method, path) => findRoute(router, method, path)?.data;
}
