import { batchGetItem } from './batch-get-item.ts';
import { batchWriteItem } from './batch-write-item.ts';
import { getItem } from './get-item.ts';
import type { Operation } from './operation.ts';
import { query } from './query.ts';
import { scan } from './scan.ts';
import { describeEndpoints, describeLimits } from './service.ts';
import { batchExecuteStatement, executeStatement, executeTransaction } from './statements.ts';
import { describeStream, getRecords, getShardIterator, listStreams } from './streams.ts';
import { createTable, deleteTable, describeTable, listTables } from './tables.ts';
import { listTagsOfResource, tagResource, untagResource } from './tags.ts';
import { describeTimeToLive, updateTimeToLive } from './time-to-live.ts';
import { transactGetItems } from './transact-get-items.ts';
import { transactWriteItems } from './transact-write-items.ts';
import { updateTable } from './update-table.ts';
import { deleteItem, putItem, updateItem } from './write-item.ts';

/** All operations of the engine, by name. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  Object.entries({
    BatchExecuteStatement: batchExecuteStatement,
    BatchGetItem: batchGetItem,
    BatchWriteItem: batchWriteItem,
    CreateTable: createTable,
    DeleteItem: deleteItem,
    DeleteTable: deleteTable,
    DescribeEndpoints: describeEndpoints,
    DescribeLimits: describeLimits,
    DescribeStream: describeStream,
    DescribeTable: describeTable,
    DescribeTimeToLive: describeTimeToLive,
    ExecuteStatement: executeStatement,
    ExecuteTransaction: executeTransaction,
    GetItem: getItem,
    GetRecords: getRecords,
    GetShardIterator: getShardIterator,
    ListStreams: listStreams,
    ListTables: listTables,
    ListTagsOfResource: listTagsOfResource,
    PutItem: putItem,
    Query: query,
    Scan: scan,
    TagResource: tagResource,
    TransactGetItems: transactGetItems,
    TransactWriteItems: transactWriteItems,
    UntagResource: untagResource,
    UpdateItem: updateItem,
    UpdateTable: updateTable,
    UpdateTimeToLive: updateTimeToLive,
  }),
);
