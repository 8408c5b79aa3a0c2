import type { Integer } from '../../integer.ts';
import type { SummedContent } from '../content-sum.ts';
import { type CopiedContent, findMismatch } from '../mismatch.ts';
import type { CopyJob, CopyResult } from '../mover.ts';
import type { ContentSource } from './content.ts';

/** What is to be written, and from where. */
export interface WantedContent extends CopiedContent {
  readonly bytes: Integer;
}

/** A copy through this process, as its destination sees it. */
export interface StreamJob {
  readonly job: CopyJob;
  /** Size and checksums of the file: those of the catalogue, or of the source where that knows none. */
  readonly wanted: WantedContent;
  readonly source: ContentSource;
  /** The content of the source from a byte on. */
  readonly read: (start: number) => AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

/** The destination of a copy. */
export interface StreamTarget {
  /** Size and checksums of what has the name, as far as its storage tells; undefined: nothing has. */
  head(): Promise<CopiedContent | undefined>;
  /** Makes an empty file of a temporary name beside it. */
  putSibling(name: string): Promise<unknown>;
  /** Whether there is a file of a name beside it. */
  hasSibling(name: string): Promise<boolean>;
  removeSibling(name: string): Promise<unknown>;
  /** Reads what has the name, and sums it. */
  sum(): Promise<SummedContent>;
  /** Deletes what earlier attempts have left, if the copy is there without it. */
  clean(): Promise<void>;
  /**
   * Writes the copy. It gets its name only when the sums of what was sent are those that are wanted, and counts only when the
   * storage has it so.
   *
   * @param present What has the name and is to be replaced; undefined: nothing may have it.
   */
  write(copy: StreamJob, present: CopiedContent | undefined): Promise<CopyResult>;
}

/** @throws Error if content is not what is wanted. @param pfn Where it was read. */
export function requireContent(wanted: CopiedContent, found: CopiedContent, pfn: string): void {
  const mismatch = findMismatch(wanted, found);
  if (mismatch !== undefined) throw new Error(`${pfn}: ${mismatch}`);
}
