import type { Table } from '../../store/batches/table.ts';
import { readText } from '../config/read-option.ts';
import { resolveIfPossible } from '../rse-expression/resolve-expression.ts';

/** The site of a caller. */
export interface CallerSite {
  /** As the caller named it. */
  readonly name: string;
  /** The ids of the RSEs at the site: reads from them are local. */
  readonly rseIds: ReadonlySet<string>;
  /** Host and port of the proxy for reads from elsewhere. */
  readonly proxy: string | undefined;
}

/**
 * Finds what a site means for PFNs (spec/replication.md 1.10). The name is the value of an RSE expression: `A|site=B` are
 * the sites A and B. If that cannot be evaluated, no RSE is local.
 */
export async function findCallerSite(table: Table, name: string | undefined): Promise<CallerSite | undefined> {
  if (name === undefined) return undefined;
  const [rses, proxy] = await Promise.all([resolveIfPossible(table, `site=${name}`), findProxy(table, name)]);
  return { name, rseIds: new Set(rses.map(({ id }) => id)), proxy };
}

/** A site with a cache has no proxy. Which cache a file is in, only a virtual placement service could tell. */
async function findProxy(table: Table, site: string): Promise<string | undefined> {
  if (await readText(table, 'clientcachemap', site)) return undefined;
  return (await readText(table, 'root-proxy-internal', site)) || undefined;
}
