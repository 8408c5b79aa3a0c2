import { groups } from '../../lib/contract/index.ts';
import type { Route } from '../../lib/contract/route.ts';
import { finishedRequests, type RequestRecord } from '../../lib/http/request-log.ts';
import { RouteTable } from '../../lib/http/route-table.ts';
import type { RunFunction } from '../run-function.ts';
import type { WorkerPool } from './worker-pool.ts';

/** Requests that read, take and answer less cost little more than the messages between two threads. */
const minBytes = 16 * 1024;

const bytesPerReadUnit = 4 * 1024;

/** The weight of the latest request in the mean of a route. */
const weightOfLatest = 1 / 8;

/**
 * Runs requests that handle many bytes in worker threads while the main thread is busy. A request goes to the thread with the
 * fewest of them.
 */
export function spreadRequests(pool: WorkerPool): (here: RunFunction) => RunFunction {
  const findMovable = makeRouteFinder();
  const [answers, reads] = [new RouteMeans(), new RouteMeans()];
  finishedRequests.subscribe((message) => {
    const { operation, rru = 0, wru = 0 } = message as RequestRecord;
    // Skips requests that write: the main thread does their writes in any case, and they read little beside.
    if (operation !== undefined && wru === 0) reads.add(operation, rru * bytesPerReadUnit);
  });
  let load = 0;
  return (here) => async (group, event, sink) => {
    const route = findMovable(group, event.httpMethod, event.path);
    const bytes = Math.max(answers.of(route) + reads.of(route), event.body?.length ?? 0);
    const runThere = route !== undefined && bytes >= minBytes && load > 0 ? pool.findRunner(load) : undefined;
    if (runThere === undefined) load += 1;
    try {
      return await (runThere ?? here)(group, event, sink);
    } finally {
      if (runThere === undefined) load -= 1;
      if (route !== undefined) answers.add(route, sink.bytes);
    }
  };
}

/** Means of the latest requests of each route. */
class RouteMeans {
  readonly #means = new Map<string, number>();

  of(route: string | undefined): number {
    return route === undefined ? 0 : (this.#means.get(route) ?? 0);
  }

  add(route: string, value: number): void {
    const mean = this.#means.get(route) ?? 0;
    this.#means.set(route, mean + (value - mean) * weightOfLatest);
  }
}

/**
 * Finds the route of a request that may run anywhere: streams of events stay with the engine that announces changes, and the status with
 * the watch of the disk.
 */
function makeRouteFinder(): (group: string, method: string, path: string) => string | undefined {
  const tables = new Map(
    groups.map(({ name, routes }) => {
      const movable = Object.entries<Route>(routes).filter(
        ([id, { answer }]) => answer.kind !== 'events' && id !== 'getStatus',
      );
      return [name, new RouteTable(movable.map(([id, route]) => [route, id]))];
    }),
  );
  return (group, method, path) => tables.get(group)?.find(method, path)?.value;
}
