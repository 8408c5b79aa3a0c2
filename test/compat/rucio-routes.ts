/** The routes of a Rucio server beside those of Dapple. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { groups } from '../../lib/contract/index.ts';
import type { Route } from '../../lib/contract/route.ts';

const recording = fileURLToPath(new URL('results/rucio-routes.json', import.meta.url));

/** The paths under which Rucio has routes that no handler of Dapple serves, and why. */
const reasons: Readonly<Record<string, string>> = {
  '/metrics':
    'the local server answers it ([operations](operations.md)); deployed, metrics are in CloudWatch. Not in the default set of Rucio',
  '/nongrid_traces': 'traces of the analysis framework of one experiment, for a message broker. Not in the default set',
  '/vos': 'a deployment has one VO; several need one stack each. Not in the default set',
};

/** A route that Rucio has and Dapple does not: its method and path, and the reason. */
export interface MissingRoute {
  readonly request: string;
  readonly why: string;
}

/** The routes of Rucio 41, recorded by `record-routes.py`: method and path. */
export async function readRucioRoutes(): Promise<readonly string[]> {
  return JSON.parse(await readFile(recording, 'utf8')) as readonly string[];
}

/**
 * The routes that Dapple does not serve.
 *
 * @param rucio Method and path of each route of Rucio.
 * @throws Error if one has no reason, or a reason is about no such route.
 */
export function findMissing(rucio: readonly string[]): readonly MissingRoute[] {
  const served = new Set(
    groups.flatMap(({ routes }) => Object.values<Route>(routes).map(({ method, path }) => shape(`${method} ${path}`))),
  );
  const missing = rucio.filter((request) => !served.has(shape(request)));
  const prefixes = Object.keys(reasons);
  const isBelow = (request: string, prefix: string) => request.includes(` ${prefix}/`);
  const unused = prefixes.filter((prefix) => !missing.some((request) => isBelow(request, prefix)));
  if (unused.length > 0) throw new Error(`no route is missing below ${unused.join(', ')}`);
  return missing.map((request) => {
    const prefix = prefixes.find((one) => isBelow(request, one));
    if (prefix === undefined) throw new Error(`${request} is not served, and has no reason`);
    return { request, why: reasons[prefix] ?? '' };
  });
}

/** A path of any notation without the names of its parameters. */
export function shape(path: string): string {
  return path
    .replace(/\/$/, '')
    .replaceAll(/\*\*:scope_name|<path:scope_name>/g, '*/*')
    .replaceAll(/\{\w+\}|:\w+|<[^>]+>/g, '*');
}
