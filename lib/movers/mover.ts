import type { Integer } from '../integer.ts';
import { readBoolean } from '../python/boolean.ts';
import type { CopiedContent } from './mismatch.ts';

/** The RSE at one end of a copy. */
export interface StorageRse {
  readonly id: string;
  readonly rse: string;
  /** `TAPE` or `DISK`. */
  readonly rseType?: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Whether files of an RSE have to be brought from tape first, and new ones go there. */
export function isOnTape({ rseType, attributes }: StorageRse): boolean {
  return rseType === 'TAPE' || readBoolean(attributes['staging_required']) === true;
}

/**
 * Whether a copy on an RSE may count by its size alone, where its storage tells no checksum: the attribute `verify_checksum` is
 * false, as in Rucio. A file that was there before the copy never does.
 */
export function acceptsSize({ attributes }: StorageRse): boolean {
  return readBoolean(attributes['verify_checksum']) === false;
}

/** One end of a copy. */
export interface CopyPlace {
  readonly rse: StorageRse;
  readonly pfn: string;
  /** The folder of the RSE, with a slash at both ends. */
  readonly prefix: string;
  /** The address of the file for HTTP, with the marks of a URL escaped, which a PFN does not do; absent for other schemes. */
  readonly url?: string | undefined;
}

/** Whether the ends of a copy are the same file: then it would be none. */
export function isSamePlace(one: CopyPlace, other: CopyPlace): boolean {
  return one.pfn === other.pfn || (one.url !== undefined && one.url === other.url);
}

/** Where a copy is made. */
export interface CopyEnds {
  readonly source: CopyPlace;
  readonly destination: CopyPlace;
}

/** A copy to make. */
export interface CopyJob extends CopyEnds {
  /** The lease: different for each attempt. */
  readonly id: string;
  readonly bytes?: Integer | undefined;
  readonly adler32?: string | undefined;
  readonly md5?: string | undefined;
  /** A bad file may be at the destination, which the copy replaces. */
  readonly replaces: boolean;
  /**
   * Called directly before each step that changes what is under the name of the file, and before each repeat of it: a process
   * that was asleep finds that its lease is over, and that another attempt may be at work there.
   *
   * @throws LeaseOver
   */
  readonly requireLease: () => void;
}

/** The lease of a copy is over, or may be: nothing may be written any more. */
export class LeaseOver extends Error {
  override readonly name = 'LeaseOver';

  constructor() {
    super('The lease of the copy was over before it was complete.');
  }
}

/** A copy that can never be made as it is asked for: no further attempt is worth while. Its message is for people. */
export class CopyObstacle extends Error {
  override readonly name = 'CopyObstacle';
}

/** Facts about a copy that a mover has made, or found, and whose content it has verified. */
export interface CopyResult {
  readonly bytes: Integer;
  readonly adler32?: string | undefined;
  readonly md5?: string | undefined;
}

/** Copies files between storages of one kind (docs/adr/0019-transfers-and-movers.md). */
export interface Mover {
  /** The value of the attribute `mover` of the RSEs to which it copies. */
  readonly name: string;
  /** The schemes that it can use at both ends. */
  readonly schemes: readonly string[];
  /** The copies that it makes at the same time. */
  readonly parallel: number;
  /** Why it cannot make a copy, for people; undefined: it can. Absent: it can make all of its schemes. */
  findObstacle?(copy: CopyEnds & CopiedContent): string | undefined | Promise<string | undefined>;
  /**
   * Makes a copy, which must not appear under its name before it is complete. It counts only if its content was compared: with
   * the checksums of the catalogue, or, where that knows none, with those of the source. So does a file that is there already,
   * which counts never if it is one to be replaced.
   *
   * @param signal Aborts the copy: the lease is lost, or the process ends.
   * @throws CopyObstacle if no attempt can succeed; another Error with a message for people: the attempt failed.
   */
  copy(job: CopyJob, signal: AbortSignal): Promise<CopyResult>;
}
