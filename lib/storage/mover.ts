import type { Integer } from '../integer.ts';

/** The RSE at one end of a copy. */
export interface StorageRse {
  readonly id: string;
  readonly rse: string;
  readonly attributes: Readonly<Record<string, unknown>>;
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
}

/** What a mover knows of a copy that it has made. */
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
  findObstacle?(ends: CopyEnds): string | undefined;
  /**
   * Makes a copy, which must not appear under its name before it is complete.
   *
   * @param signal Aborts the copy: the lease is lost, or the process ends.
   * @throws Error with a message for people: the attempt failed.
   */
  copy(job: CopyJob, signal: AbortSignal): Promise<CopyResult>;
}
