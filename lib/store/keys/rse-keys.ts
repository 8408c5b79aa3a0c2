import {
  decode,
  encode,
  join,
  type Key,
  type KeyPrefix,
  newestFirst,
  part,
  rangeOf,
  startOf,
  timeOfNewestFirst,
} from './key-parts.ts';

/** The first part of the partition keys of what belongs to one RSE. */
export const rsePrefix = 'R';

/** The first parts of the keys below. */
const prefixes = {
  fleet: 'RSES',
  rse: 'RSE',
  version: 'VERSION',
  name: 'RSENAME',
  distance: 'DIST',
  usage: 'USAGE',
  pastUsage: 'USAGEHIST',
} as const;

/** The keys of RSEs, their distances and their usage. */
export const rseKeys = {
  /** All RSEs share one partition, so that one strongly consistent query reads the fleet. */
  rse: (id: string): Key => ({ PK: rseKeys.partition, SK: join(prefixes.rse, id) }),
  partition: prefixes.fleet,
  rses: rangeOf(prefixes.rse),
  name: (name: string): Key => ({ PK: join(prefixes.name, encode(name)), SK: prefixes.name }),
  /** Raised by every change of an RSE, so that a cached fleet can be revalidated with one small read. */
  version: { PK: prefixes.fleet, SK: prefixes.version } as Key,

  /** What belongs to one RSE: distances, usage, quarantined files. */
  ofRse: (id: string): string => join(rsePrefix, id),
  /** From one RSE to another. */
  distance: (source: string, destination: string): Key => ({
    PK: rseKeys.ofRse(source),
    SK: join(prefixes.distance, destination),
  }),
  distances: rangeOf(prefixes.distance),

  usage: (rseId: string, source: string): Key => ({
    PK: rseKeys.ofRse(rseId),
    SK: join(prefixes.usage, encode(source)),
  }),
  usages: rangeOf(prefixes.usage),
  /** A change of the usage that is not in its sum yet; sorts after it. */
  usageDifference: (rseId: string, source: string, id: string): Key => ({
    PK: rseKeys.ofRse(rseId),
    SK: join(prefixes.usage, encode(source), id),
  }),
  /** The usage by a source and its differences. Sources whose names continue with a blank sort in between. */
  usageOf: (source: string) => ({
    ...rangeOf(prefixes.usage, encode(source)),
    from: join(prefixes.usage, encode(source)),
  }),
  /** The usage of an RSE by a source at a time, in milliseconds; per source the newest first. */
  usageAt: (rseId: string, source: string, at: number): Key => ({
    PK: rseKeys.ofRse(rseId),
    SK: join(prefixes.pastUsage, encode(source), newestFirst(at)),
  }),
  usageHistory: (source: string) => rangeOf(prefixes.pastUsage, encode(source)),
} as const;

/** How the keys of these items begin. */
export const rseItems = {
  rse: { PK: prefixes.fleet, SK: rseKeys.rses.from },
  usage: { PK: startOf(rsePrefix), SK: rseKeys.usages.from },
} as const satisfies Record<string, KeyPrefix>;

/** Reads the id of an RSE back out of the key of what belongs to it. */
export function rseOf({ PK }: Key): string {
  return part(PK, 1);
}

/** Whether an item of the usage of an RSE is a difference. */
export function isUsageDifference({ SK }: Pick<Key, 'SK'>): boolean {
  return part(SK, 0) === prefixes.usage && part(SK, 2) !== '';
}

/** Reads the source back out of the sort key of a usage record, and the time of a past one. */
export function usageOf({ SK }: Key): { source: string; at?: number } {
  return part(SK, 0) === prefixes.usage
    ? { source: decode(part(SK, 1)) }
    : { source: decode(part(SK, 1)), at: timeOfNewestFirst(part(SK, 2)) };
}
