import { addIntegers, type Integer, negate } from '../../integer.ts';
import type { Table } from '../../store/batches/table.ts';
import { hasArrived } from '../locks/deletion-mark.ts';
import { type Deletable, findDeletable } from './find-deletable.ts';
import { maxMarkedReplicas } from './mark-replicas.ts';
import type { WantedSpace } from './wanted-space.ts';

/** Replicas that a reaper deletes together. */
export interface Selection {
  readonly replicas: readonly Deletable[];
  /** Bytes that their deletion frees. */
  readonly bytes: Integer;
}

/** From which RSE replicas are selected, and how many. */
interface Wish {
  readonly rseId: string;
  readonly wanted: WantedSpace;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Called with the number of entries of the list that were read. */
  readonly onRead?: (entries: number) => void;
}

/** Entries of the list that are read first. */
const firstEntries = 100;

/**
 * Selects the replicas that a reaper deletes from an RSE now, in the order of the list. The last one may free more than is
 * still missing; no further one is selected.
 */
export async function* selectReplicas(
  table: Table,
  { rseId, wanted, now, onRead = () => {} }: Wish,
): AsyncGenerator<Selection> {
  const onlyObsolete = wanted.kind === 'obsolete';
  let missing = wanted.kind === 'space' ? wanted.bytes : undefined;
  let replicas: Deletable[] = [];
  let bytes: Integer = 0;
  for await (const found of findDeletable(table, {
    rseId,
    now,
    onlyObsolete,
    onRead,
    slice: { pageSize: firstEntries },
  })) {
    replicas.push(found);
    const size = bytesOf(found);
    bytes = addIntegers(bytes, size);
    if (missing !== undefined) missing = addIntegers(missing, negate(size));
    const isEnough = missing !== undefined && missing <= 0;
    if (!isEnough && replicas.length < maxMarkedReplicas) continue;
    yield { replicas, bytes };
    [replicas, bytes] = [[], 0];
    if (isEnough) return;
  }
  if (replicas.length > 0) yield { replicas, bytes };
}

/** Bytes that the deletion of a replica frees, as far as the catalogue knows: nothing if its file never arrived. */
function bytesOf({ file, replica }: Deletable): Integer {
  return hasArrived(replica) ? (file.bytes ?? 0) : 0;
}
