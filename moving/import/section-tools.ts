import type { RucioSource } from '../rucio/source.ts';
import type { Target } from '../write/target.ts';
import type { ImportContext } from './import-context.ts';
import type { StateFile } from './state-file.ts';

/** Tools shared by the ranges of a section. */
export interface SectionTools {
  readonly source: RucioSource;
  readonly target: Target;
  readonly state: StateFile;
  readonly context: ImportContext;
  /** The number of this run; the first is 1. */
  readonly run: number;
  /** Ranges that are read at a time. */
  readonly parallel: number;
  /** Whether digests of items are kept, so that a later run can tell what has changed. */
  readonly keepsDigests: boolean;
  /** Called with the rows that were done. */
  readonly progress: (rows: number) => void;
  /** Called with rows that need not be done, since their range has not changed. */
  readonly skip: (rows: number) => void;
}
