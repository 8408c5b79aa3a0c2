import type { Listing, StoredFile } from './listing.ts';

/** A replica in a dump of the catalogue (`GET /replicas/dump`). */
export interface DumpedReplica {
  readonly scope: string;
  readonly name: string;
  readonly path: string | null;
  readonly bytes: number | null;
  readonly adler32: string | null;
  readonly md5: string | null;
  readonly state: string;
  readonly updated_at: string;
}

/** The differences between a storage and the catalogue. */
export interface Differences {
  /** Numbers of replicas in the catalogue and of files on the storage. */
  readonly replicas: number;
  readonly files: number;
  /** Available replicas whose files are not there. */
  readonly lost: readonly DumpedReplica[];
  /** Available replicas whose files have another size. */
  readonly differing: readonly { readonly replica: DumpedReplica; readonly bytes: number }[];
  /** Available replicas whose files are there, as far as their sizes tell. */
  readonly present: readonly DumpedReplica[];
  /** Files that the catalogue does not know. */
  readonly dark: readonly StoredFile[];
}

/** The dates of the catalogue are in whole seconds. */
const dateResolutionMs = 1_000;

/**
 * Compares a storage with the catalogue. The listing is read before the dump, so that a file that was registered meanwhile is
 * in the dump. A replica younger than the listing is not lost, and a file younger than a time is not dark: it may still be
 * uploaded. Keeps all paths of the listing in memory.
 *
 * @param minAgeMs How old a file must be to be dark. A file whose time is unknown is as old as its listing.
 */
export async function compareStorage(
  { listedAt, files }: Listing,
  readDump: () => AsyncIterable<DumpedReplica>,
  minAgeMs: number,
): Promise<Differences> {
  const unknown = new Map<string, StoredFile>();
  for await (const file of files) unknown.set(file.path, file);
  const count = unknown.size;
  const lost: DumpedReplica[] = [];
  const differing: Differences['differing'][number][] = [];
  const present: DumpedReplica[] = [];
  const known = new Set<string>();
  let replicas = 0;
  for await (const replica of readDump()) {
    replicas += 1;
    if (replica.path === null) continue;
    const file = unknown.get(replica.path);
    known.add(replica.path);
    if (replica.state !== 'AVAILABLE' || Date.parse(replica.updated_at) > listedAt - dateResolutionMs) continue;
    if (file === undefined) lost.push(replica);
    else if (file.bytes !== undefined && replica.bytes !== null && file.bytes !== replica.bytes)
      differing.push({ replica, bytes: file.bytes });
    else present.push(replica);
  }
  const now = Date.now();
  const dark = [...unknown.values()].filter(
    ({ path, modifiedAt = listedAt }) => !known.has(path) && modifiedAt <= now - minAgeMs,
  );
  return { replicas, files: count, lost, differing, present, dark };
}
