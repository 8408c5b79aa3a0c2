import {
  decode,
  encode,
  hasPrefix,
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
export const ofRsePrefix = 'R';

// The first parts of the keys below. Constants rather than an object, and calls that are marked as pure, so that bundles
// contain only the keys that they use.
const fleetPrefix = 'RSES';
const rsePrefix = 'RSE';
const versionPrefix = 'VERSION';
const copyPrefix = 'FLEET';
const packPrefix = 'FLEETPACK';
const namePrefix = 'RSENAME';
const distancePrefix = 'DIST';
const usagePrefix = 'USAGE';
const pastUsagePrefix = 'USAGEHIST';
const reaperPrefix = 'REAPER';
const closedPrefix = 'CLOSED';

/** The keys of RSEs, their distances and their usage. */
export const rseKeys = {
  /** All RSEs share one partition, so that one strongly consistent query reads the fleet. */
  rse: (id: string): Key => ({ PK: rseKeys.partition, SK: join(rsePrefix, id) }),
  partition: fleetPrefix,
  rses: rangeOf(rsePrefix),
  /** Copies of the packed fleet. */
  fleetPack: (slot: number): Key => ({ PK: join(packPrefix, String(slot)), SK: packPrefix }),
  name: (name: string): Key => ({ PK: join(namePrefix, encode(name)), SK: namePrefix }),
  /** Raised by every change of an RSE. */
  version: { PK: fleetPrefix, SK: versionPrefix } as Key,
  /** Copies of the version, each in a partition of its own, so that a cached fleet can be revalidated with one small read. */
  fleetCopy: (slot: number): Key => ({ PK: join(copyPrefix, String(slot)), SK: versionPrefix }),

  /** Items of one RSE: distances, usage, quarantined files. */
  ofRse: (id: string): string => join(ofRsePrefix, id),
  /** From one RSE to another. */
  distance: (source: string, destination: string): Key => ({
    PK: rseKeys.ofRse(source),
    SK: join(distancePrefix, destination),
  }),
  distances: rangeOf(distancePrefix),

  /** One of the marks that an RSE takes no replicas any more, each in a partition of its own. */
  closed: (rseId: string, slot: number): Key => ({
    PK: join(ofRsePrefix, rseId, closedPrefix, String(slot)),
    SK: closedPrefix,
  }),

  /** The state of the reaper of an RSE. */
  reaper: (rseId: string): Key => ({ PK: rseKeys.ofRse(rseId), SK: reaperPrefix }),

  usage: (rseId: string, source: string): Key => ({
    PK: rseKeys.ofRse(rseId),
    SK: join(usagePrefix, encode(source)),
  }),
  usages: rangeOf(usagePrefix),
  /** A change of the usage that is not in its sum yet; sorts after it. */
  usageDifference: (rseId: string, source: string, id: string): Key => ({
    PK: rseKeys.ofRse(rseId),
    SK: join(usagePrefix, encode(source), id),
  }),
  /** The usage by a source and its differences. Sources whose names continue with a blank sort in between. */
  usageOf: (source: string) => ({
    ...rangeOf(usagePrefix, encode(source)),
    from: join(usagePrefix, encode(source)),
  }),
  /** The usage of an RSE by a source at a time, in milliseconds; per source the newest first. */
  usageAt: (rseId: string, source: string, at: number): Key => ({
    PK: rseKeys.ofRse(rseId),
    SK: join(pastUsagePrefix, encode(source), newestFirst(at)),
  }),
  usageHistory: (source: string) => rangeOf(pastUsagePrefix, encode(source)),
} as const;

/** How the keys of these items begin. */
export const rseItems = {
  rse: { PK: fleetPrefix, SK: startOf(rsePrefix) },
  usage: { PK: startOf(ofRsePrefix), SK: startOf(usagePrefix) },
} as const satisfies Record<string, KeyPrefix>;

/** The id of the RSE whose item has a key; undefined: it is the item of no RSE. */
export function rseIdOf(key: Key): string | undefined {
  return hasPrefix(key, rseItems.rse) ? part(key.SK, 1) : undefined;
}

/** Reads the id of an RSE back out of the key of what belongs to it. */
export function rseOf({ PK }: Key): string {
  return part(PK, 1);
}

/** Whether an item of the usage of an RSE is a difference. */
export function isUsageDifference({ SK }: Pick<Key, 'SK'>): boolean {
  return part(SK, 0) === usagePrefix && part(SK, 2) !== '';
}

/** Reads the source back out of the sort key of a usage record, and the time of a past one. */
export function usageOf({ SK }: Key): { source: string; at?: number } {
  return part(SK, 0) === usagePrefix
    ? { source: decode(part(SK, 1)) }
    : { source: decode(part(SK, 1)), at: timeOfNewestFirst(part(SK, 2)) };
}
