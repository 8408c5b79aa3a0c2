import type { PfnEntry } from '../../contract/schemas/replica.ts';
import { fail } from '../../errors.ts';
import { shuffle } from '../values/shuffle.ts';
import type { Pfn } from './pfn-finder.ts';

const algorithms = ['geoip', 'custom_table', 'random'] as const;
/** How PFNs of equal standing are ordered; nothing is known of distances, so only `random` changes anything. */
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

/** In which order the PFNs of a file are answered. */
export interface PfnOrder {
  readonly algorithm: Algorithm;
  /** PFNs of a file that are answered at most. */
  readonly limit: number | undefined;
  /** Nothing goes before the RSE: the order of the older call for one DID (spec/replication.md 1.5). */
  readonly byRse: boolean;
}

/** PFNs by RSE, the RSEs by their ids, and of each the PFNs from the best to the worst. */
export function groupPfnsByRse(pfns: readonly Pfn[]): Record<string, string[]> {
  return Object.fromEntries(
    Array.from(
      Map.groupBy(sortedByRse(pfns), ({ rse }) => rse.rse),
      ([rse, list]) => [rse, list.map(({ text }) => text)],
    ),
  );
}

/**
 * PFNs with their priorities, 1 the best: those of the caller's site first, the others as the algorithm says
 * (spec/replication.md 1.4).
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
