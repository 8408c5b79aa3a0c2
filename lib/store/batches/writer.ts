import type { TableClient } from '../items/client.ts';
import type { BatchLog } from './batches.ts';

/** The dependencies of every write to the table. */
export interface Writer {
  readonly client: TableClient;
  readonly tableName: string;
  readonly batches: BatchLog;
}
