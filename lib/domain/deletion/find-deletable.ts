import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Slice, Table } from '../../store/batches/table.ts';
import { type DeletableReplica, listDeletable } from '../../store/entities/deletable-replica.ts';
import { type FileDid, getFiles, type Replica } from '../../store/entities/did.ts';
import { formatDid } from '../values/format-did.ts';
import { findNeeded } from './find-needed.ts';
import { isDeletable } from './is-deletable.ts';

/** Files that are read together. */
const filesPerRead = 500;

/** A replica that may be deleted now, and its entry in the list. */
export interface Deletable {
  readonly entry: DeletableReplica;
  readonly file: FileDid;
  readonly replica: Replica;
}

/** Which replicas of an RSE are found; `slice` by entry. */
interface Search {
  readonly rseId: string;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Only those with the tombstone 1970-01-01, which may be deleted even if no space is needed. */
  readonly onlyObsolete?: boolean;
  readonly slice?: Slice<Omit<DeletableReplica, 'rseId'>>;
  /** Hears how many entries were read, whether their replicas may be deleted or not. */
  readonly onRead?: (entries: number) => void;
}

/**
 * The replicas that may be deleted from an RSE now, in the order of Rucio's reaper: by tombstone, then by the time since
 * when they may. Costs a read unit for each entry of the list, a query unit for some 30, and for a file that has no other
 * copy what {@link findNeeded} costs.
 */
export async function* findDeletable(
  table: Table,
  { rseId, now, onlyObsolete = false, slice = {}, onRead }: Search,
): AsyncGenerator<Deletable> {
  const entries = listDeletable(table, rseId, onlyObsolete ? 0 : now, slice);
  for await (const chunk of splitIntoChunks(entries, Math.min(slice.pageSize ?? filesPerRead, filesPerRead))) {
    onRead?.(chunk.length);
    const found = await readDeletable(table, chunk, now);
    const { needed } = await findNeeded(
      table.latest(),
      found.map(({ file }) => file),
      rseId,
      now,
    );
    yield* found.filter(({ file }) => !needed.has(formatDid(file)));
  }
}

async function readDeletable(table: Table, entries: readonly DeletableReplica[], now: number): Promise<Deletable[]> {
  const found = await getFiles(
    table,
    entries.map(({ did }) => did),
  );
  const files = new Map(found.map((file) => [formatDid(file), file]));
  return entries.flatMap((entry) => {
    const file = files.get(formatDid(entry.did));
    const replica = file?.replicas.get(entry.rseId);
    // The replica may have changed since the entry was read.
    if (file === undefined || replica?.listedAt !== entry.listedAt || replica.tombstone !== entry.tombstone) return [];
    return isDeletable(file, entry.rseId, now) ? [{ entry, file, replica }] : [];
  });
}
