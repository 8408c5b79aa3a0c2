import type { BatchLog } from './batches.ts';
import type { TableAccess } from './list-batches.ts';

/** The dependencies of every write to the table. */
export interface Writer extends TableAccess {
  readonly batches: BatchLog;
}

/** The limit of parallel requests of one write. */
export const maxParallelRequests = 16;
