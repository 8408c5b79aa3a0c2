import type { PfnEntry } from '../../contract/schemas/replica.ts';
import { fail } from '../../errors.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { shuffle } from '../values/shuffle.ts';
import type { Pfn } from './pfn-finder.ts';

const algorithms = ['geoip', 'custom_table', 'random'] as const;
/**
 * How PFNs outside the site of the caller are ordered: by the distance of their RSEs from the caller, at random, or, since there
 * is no table of an operator's own, as they are.
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

/** A place on Earth, in degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** The order of the PFNs of a file in an answer. */
export interface PfnOrder {
  readonly algorithm: Algorithm;
  /** Where the caller is, if it says so. */
  readonly from?: Place | undefined;
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
export function orderPfns(pfns: readonly Pfn[], order: PfnOrder): Record<string, PfnEntry> {
  const { limit, byRse } = order;
  const near = byRse ? [] : pfns.filter(({ domain }) => domain === 'lan');
  const far = byRse ? sortedByRse(pfns) : pfns.filter(({ domain }) => domain !== 'lan');
  const ordered = [...near, ...arrange(far, order)];
  const chosen = limit === undefined ? ordered : ordered.slice(0, Math.max(0, limit));
  return Object.fromEntries(chosen.map((pfn, index) => [pfn.text, describe(pfn, index + 1)]));
}

function arrange(pfns: readonly Pfn[], { algorithm, from, byRse }: PfnOrder): readonly Pfn[] {
  if (algorithm === 'random') return shuffle([...pfns]);
  if (algorithm !== 'geoip' || from === undefined || byRse) return pfns;
  const distances = new Map(pfns.map(({ rse }) => [rse.id, distanceTo(rse.location, from)]));
  return pfns.toSorted((a, b) => (distances.get(a.rse.id) ?? 0) - (distances.get(b.rse.id) ?? 0));
}

/** An RSE without a location is farther than any: Rucio's distance of such a one, in km. */
const onTheMoon = 360_000;
const earthRadiusKm = 6_378;

/** The distance of an RSE along the surface of the Earth, in km. */
function distanceTo({ latitude, longitude }: Rse['location'], from: Place): number {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return onTheMoon;
  const [north, south] = [radians(latitude), radians(from.latitude)];
  const chord =
    Math.sin((south - north) / 2) ** 2 +
    Math.cos(north) * Math.cos(south) * Math.sin(radians(from.longitude - longitude) / 2) ** 2;
  return earthRadiusKm * 2 * Math.asin(Math.sqrt(Math.min(1, chord)));
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

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
