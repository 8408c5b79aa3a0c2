import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

import type { BatchLog } from './batches.ts';

/** The dependencies of every write to the table. */
export interface Writer {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
  readonly batches: BatchLog;
}
