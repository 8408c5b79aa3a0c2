import { parseNamed } from '../../json-names.ts';
import { log } from '../../log.ts';
import type { Table } from '../../store/batches/table.ts';
import { readText } from '../config/read-option.ts';
import { resolveIfPossible } from '../rse-expression/resolve-expression.ts';

/** Distances of RSEs by their names, from 0 to 1. */
export type Distances = ReadonlyMap<string, number>;

/** The site of a caller. */
export interface CallerSite {
  /** The name that the caller gave. */
  readonly name: string;
  /** The ids of the RSEs at the site: reads from them are local. */
  readonly rseIds: ReadonlySet<string>;
  /** Host and port of the proxy for reads from elsewhere. */
  readonly proxy: string | undefined;
  /** The distances to RSEs that the configuration has for this site, for the order `custom_table`; undefined if it has none. */
  readonly distances: Distances | undefined;
}

/**
 * Finds what a site means for PFNs (spec/replication.md 1.10). The name is the value of an RSE expression: `A|site=B` are
 * the sites A and B. If that cannot be evaluated, no RSE is local.
 */
export async function findCallerSite(table: Table, name: string | undefined): Promise<CallerSite | undefined> {
  if (name === undefined) return undefined;
  const [rses, proxy, distances] = await Promise.all([
    resolveIfPossible(table, `site=${name}`),
    findProxy(table, name),
    findDistances(table, name),
  ]);
  return { name, rseIds: new Set(rses.map(({ id }) => id)), proxy, distances };
}

/** A site with a cache has no proxy. Which cache a file is in, only a virtual placement service could tell. */
async function findProxy(table: Table, site: string): Promise<string | undefined> {
  if (await readText(table, 'clientcachemap', site)) return undefined;
  return (await readText(table, 'root-proxy-internal', site)) || undefined;
}

/** Rucio downloads lines `<site>,<RSE>,<distance>`; here each site has an option: `{"<RSE>": <distance>}`. */
async function findDistances(table: Table, site: string): Promise<Distances | undefined> {
  const text = await readText(table, 'custom_distance', site);
  if (text === undefined) return undefined;
  try {
    const entries = Object.entries(parseNamed(text) as Readonly<Record<string, unknown>>);
    return new Map(entries.flatMap(([rse, distance]) => (typeof distance === 'number' ? [[rse, distance]] : [])));
  } catch {
    log.warn('an option of the configuration cannot be parsed', { section: 'custom_distance', option: site, text });
    return undefined;
  }
}
