import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

import type { BatchLog } from './batches.ts';

/** What it takes to write to the table. */
export interface Writer {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
  readonly batches: BatchLog;
}
