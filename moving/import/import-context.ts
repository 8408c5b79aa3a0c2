import type { FreeKeyLists } from '../../lib/store/bulk-index.ts';
import type { IndexState } from '../../lib/store/entities/index-state.ts';
import type { SumMap } from './sums.ts';

/** Input of the conversion of rows beside the rows. */
export interface ImportContext {
  /** The time that the import counts as, in milliseconds since 1970. */
  readonly now: number;
  /** The RSEs by id. */
  readonly rses: ReadonlyMap<string, { readonly rse: string; readonly deterministic: boolean }>;
  /** The state of the metadata index that a server will find. */
  readonly index: IndexState;
  readonly freeKeys: FreeKeyLists;
  /** The sums of all ranges that are done, for the sections that need them. */
  readonly sums: SumMap;
}
