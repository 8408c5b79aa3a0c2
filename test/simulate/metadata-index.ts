/** An operator who changes which metadata is indexed while clients write and search, and what searches must find at the end. */
import type { ClientRequest } from './client-request.ts';
import type { Deployment } from './deployment.ts';
import type { Catalogue } from './model.ts';
import type { Random } from './random.ts';
import { rowsOf } from './rows.ts';

/** The metadata that clients set and search. */
export const metadata = [
  { key: 'datatype', value: 'RAW' },
  { key: 'datatype', value: 'AOD' },
  { key: 'run_number', value: 7 },
  { key: 'flavour', value: 'up' },
  { key: 'flavour', value: 'down' },
];

/** Options of the section `metadata`. */
export interface IndexOptions {
  readonly indexed_keys: string;
  readonly excluded_keys: string;
}

/** The default of the configured keys, without one that histories set. */
const constantKeys = 'task_id campaign';

/** Draws which of the keys of the histories are configured, and whether the free one is excluded. */
export function drawIndexOptions(random: Random): IndexOptions {
  const chosen = ['run_number', 'datatype', 'flavour'].filter(() => random.chance(0.5));
  return {
    indexed_keys: [constantKeys, ...chosen].join(' '),
    excluded_keys: random.chance(0.5) ? 'flavour' : 'nothing',
  };
}

/** The request that sets the options. */
export function requestOfOptions(options: IndexOptions): ClientRequest {
  return { method: 'POST', path: '/config', body: { metadata: options } };
}

/** Searches that do not find the DIDs of the catalogue with that value. */
export async function flawsOfSearches(deployment: Deployment, scope: string, { dids }: Catalogue): Promise<string[]> {
  const flaws: string[] = [];
  for (const { key, value } of metadata) {
    const path = `/dids/${scope}/dids/search?type=all&long=true&${key}=${value}`;
    const rows = rowsOf(await deployment.requestSuccess({ method: 'GET', path }));
    const found = rows.map(({ name }) => String(name)).sort();
    const expected = [...dids].flatMap(([name, { meta }]) => (meta[key] === value ? [name] : [])).sort();
    if (found.join() !== expected.join())
      flaws.push(`the search for ${key}=${value} finds ${found.join()}, there are ${expected.join()}`);
  }
  return flaws;
}
