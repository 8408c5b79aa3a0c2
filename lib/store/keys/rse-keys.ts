import { decode, encode, join, type Key, newestFirst, part, timeOfNewestFirst } from './key-parts.ts';

/** The keys of RSEs, their distances and their usage. */
export const rseKeys = {
  /** All RSEs lie together, so that one strongly consistent query reads the fleet. */
  rse: (id: string): Key => ({ PK: rseKeys.partition, SK: join('RSE', id) }),
  partition: 'RSES',
  rses: { from: 'RSE#', to: 'RSE$' },
  name: (name: string): Key => ({ PK: join('RSENAME', encode(name)), SK: 'RSENAME' }),
  /** Raised by every change of an RSE, so that a cached fleet can be revalidated with one small read. */
  version: { PK: 'RSES', SK: 'VERSION' } as Key,

  /** Everything that hangs on an RSE: distances, usage. */
  hangers: (id: string): string => join('R', id),
  /** From an RSE to another. */
  distance: (source: string, destination: string): Key => ({
    PK: rseKeys.hangers(source),
    SK: join('DIST', destination),
  }),
  distances: { from: 'DIST#', to: 'DIST$' },

  usage: (rseId: string, source: string): Key => ({
    PK: rseKeys.hangers(rseId),
    SK: join('USAGE', encode(source)),
  }),
  usages: { from: 'USAGE#', to: 'USAGE$' },
  /** A change of the usage that is not in its sum yet; sorts behind it. */
  usageDifference: (rseId: string, source: string, id: string): Key => ({
    PK: rseKeys.hangers(rseId),
    SK: join('USAGE', encode(source), id),
  }),
  /** What a source says with the differences; sources whose names go on with a blank lie in between. */
  usageOf: (source: string) => ({ from: join('USAGE', encode(source)), to: `${join('USAGE', encode(source))}$` }),
  /** What a source said about an RSE at a time, in milliseconds; of a source, the newest first. */
  usageAt: (rseId: string, source: string, at: number): Key => ({
    PK: rseKeys.hangers(rseId),
    SK: join('USAGEHIST', encode(source), newestFirst(at)),
  }),
  usageHistory: (source: string) => ({
    from: `${join('USAGEHIST', encode(source))}#`,
    to: `${join('USAGEHIST', encode(source))}$`,
  }),
} as const;

/** Reads the id of an RSE back out of the key of what hangs on it. */
export function rseOf({ PK }: Key): string {
  return part(PK, 1);
}

/** Whether what a source says of an RSE is a difference. */
export function isUsageDifference({ SK }: Pick<Key, 'SK'>): boolean {
  return part(SK, 0) === 'USAGE' && part(SK, 2) !== '';
}

/** Reads the source back out of the sort key of a usage record, and the time of a past one. */
export function usageOf({ SK }: Key): { source: string; at?: number } {
  return part(SK, 0) === 'USAGE'
    ? { source: decode(part(SK, 1)) }
    : { source: decode(part(SK, 1)), at: timeOfNewestFirst(part(SK, 2)) };
}
