import type { PfnEntry } from '../../contract/schemas/replica.ts';
import { fail } from '../../errors.ts';
import { shuffle } from '../values/shuffle.ts';
import type { Pfn } from './pfn-finder.ts';

const algorithms = ['geoip', 'custom_table', 'random'] as const;
/**
 * How PFNs outside the site of the caller are ordered. The catalogue has no distances, so only `random` has an effect.
 */
type Algorithm = (typeof algorithms)[number];

/**
 * Reads the name of a sorting algorithm.
 *
 * @throws SortingAlgorithmNotSupported.
 */
export function readSortAlgorithm(name: string | null | undefined): Algorithm {
  if (!name) return 'geoip';
  const known = algorithms.find((algorithm) => algorithm === name);
  const list = algorithms.map((algorithm) => `'${algorithm}'`).join(', ');
  return (
    known ??
    fail('SortingAlgorithmNotSupported', `Sorting algorithm: ${name} is not supported. Supported protocols: [${list}]`)
  );
}

/** The order of the PFNs of a file in an answer. */
export interface PfnOrder {
  readonly algorithm: Algorithm;
  /** The most PFNs of one file. */
  readonly limit: number | undefined;
  /** Sort by RSE first: the order of the older call for one DID (spec/replication.md 1.5). */
  readonly byRse: boolean;
}

/** PFNs by the name of the RSE, the best first. RSEs are in the order of their ids. */
export function groupPfnsByRse(pfns: readonly Pfn[]): Record<string, string[]> {
  return Object.fromEntries(
    Array.from(
      Map.groupBy(sortedByRse(pfns), ({ rse }) => rse.rse),
      ([rse, list]) => [rse, list.map(({ text }) => text)],
    ),
  );
}

/**
 * PFNs with their priorities, 1 the best: first those at the site of the caller, then the others in the order of the
 * algorithm (spec/replication.md 1.4).
 *
 * @param pfns From the best to the worst.
 */
export function orderPfns(pfns: readonly Pfn[], { algorithm, limit, byRse }: PfnOrder): Record<string, PfnEntry> {
  const near = byRse ? [] : pfns.filter(({ domain }) => domain === 'lan');
  const far = byRse ? sortedByRse(pfns) : pfns.filter(({ domain }) => domain !== 'lan');
  const ordered = [...near, ...(algorithm === 'random' ? shuffle(far) : far)];
  const chosen = limit === undefined ? ordered : ordered.slice(0, Math.max(0, limit));
  return Object.fromEntries(chosen.map((pfn, index) => [pfn.text, describe(pfn, index + 1)]));
}

function sortedByRse(pfns: readonly Pfn[]): Pfn[] {
  return pfns.toSorted((a, b) => (a.rse.id === b.rse.id ? 0 : a.rse.id < b.rse.id ? -1 : 1));
}

function describe({ rse, domain, extract }: Pfn, priority: number): PfnEntry {
  return {
    rse_id: rse.id,
    rse: rse.rse,
    type: rse.rseType === 'TAPE' ? 'TAPE' : 'DISK',
    volatile: rse.volatile,
    domain,
    priority,
    client_extract: extract,
  };
}
