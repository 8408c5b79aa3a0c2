import type { PfnEntry } from '../../contract/schemas/replica.ts';
import { fail } from '../../errors.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { shuffle } from '../values/shuffle.ts';
import type { Distances } from './caller-site.ts';
import type { Pfn } from './pfn-finder.ts';

const algorithms = ['geoip', 'custom_table', 'random'] as const;
/**
 * How PFNs outside the site of the caller are ordered: by the distance of their RSEs from where the caller says that it is, by a
 * table of distances from its site, or at random.
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

/** The PFNs of a file as an answer shows them. */
export interface OrderedPfns {
  /** With their priorities, 1 the best. */
  readonly pfns: Record<string, PfnEntry>;
  /** All of them by the name of the RSE, the best first; the RSE of the best PFN first. */
  readonly rses: Record<string, string[]>;
}

/**
 * Orders the PFNs of a file: first those at the site of the caller, then the others in the order of the algorithm
 * (spec/replication.md 1.4).
 *
 * @param pfns From the best to the worst.
 * @param table For `custom_table`, if there is one for the site of the caller.
 */
export function orderPfns(pfns: readonly Pfn[], order: PfnOrder, table?: Distances): OrderedPfns {
  const { limit, byRse } = order;
  const near = byRse ? [] : pfns.filter(({ domain }) => domain === 'lan');
  const far = byRse ? sortedByRse(pfns) : pfns.filter(({ domain }) => domain !== 'lan');
  const ordered = [...near, ...arrange(far, order, table)];
  const chosen = limit === undefined ? ordered : ordered.slice(0, Math.max(0, limit));
  const texts = Map.groupBy(pfns, ({ rse }) => rse.rse);
  const names = new Set(ordered.map(({ rse }) => rse.rse));
  return {
    pfns: Object.fromEntries(chosen.map((pfn, index) => [pfn.text, describe(pfn, index + 1)])),
    rses: Object.fromEntries(Array.from(names, (name) => [name, (texts.get(name) ?? []).map(({ text }) => text)])),
  };
}

function arrange(pfns: readonly Pfn[], order: PfnOrder, table: Distances | undefined): readonly Pfn[] {
  const { algorithm, from, byRse } = order;
  if (algorithm === 'random') return shuffle([...pfns]);
  if (byRse) return pfns;
  if (algorithm === 'custom_table') {
    return table === undefined ? pfns : sortByDistance(pfns, ({ rse }) => table.get(rse) ?? farthest);
  }
  return from === undefined ? pfns : sortByDistance(pfns, ({ location }) => distanceTo(location, from));
}

function sortByDistance(pfns: readonly Pfn[], distanceOf: (rse: Rse) => number): readonly Pfn[] {
  const distances = new Map(pfns.map(({ rse }) => [rse.id, distanceOf(rse)]));
  return pfns.toSorted((a, b) => (distances.get(a.rse.id) ?? 0) - (distances.get(b.rse.id) ?? 0));
}

/** The distance of an RSE that is not in the table, as in Rucio. */
const farthest = 1;

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
