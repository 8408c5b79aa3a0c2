import { serializationError, unsupportedError } from '../errors.ts';
import { type Checker, compileChecker, describeViolations, type Violation } from './constraints.ts';
import {
  checkBatchExecuteStatement,
  checkBatchGetItem,
  checkBatchWriteItem,
  checkExecuteTransaction,
  checkStatement,
  checkTransactGetItems,
  checkTransactWriteItems,
} from './operations/batches.ts';
import { checkCreateTable } from './operations/create-table.ts';
import { checkDeleteItem, checkGetItem, checkPutItem, checkUpdateItem } from './operations/items.ts';
import { checkQuery, checkScan } from './operations/searches.ts';
import { checkDescribeStream, checkGetShardIterator, checkListStreams } from './operations/streams.ts';
import {
  checkResourcePresent,
  checkTableArn,
  checkTagResource,
  checkUntagResource,
} from './operations/table-settings.ts';
import { checkTableNameLength, checkTablePresent, checkUpdateTable } from './operations/tables.ts';
import type { Input } from './parameters.ts';
import { compileReader, type Reader } from './reading.ts';
import { batchShapes } from './shapes/batches.ts';
import { itemShapes } from './shapes/items.ts';
import { streamShapes } from './shapes/streams.ts';
import { tableShapes } from './shapes/tables.ts';

type Check = (input: Input) => void;

/** Checks that DynamoDB makes before those of the constraints. */
const before: Readonly<Record<string, Check>> = {
  CreateTable: checkTablePresent,
  UpdateTable: checkTableNameLength,
  DeleteTable: checkTableNameLength,
  DescribeTable: checkTableNameLength,
  UpdateTimeToLive: checkTableNameLength,
  DescribeTimeToLive: checkTableNameLength,
  DescribeContinuousBackups: checkTableNameLength,
  TagResource: checkResourcePresent,
  UntagResource: checkResourcePresent,
  ListTagsOfResource: checkResourcePresent,
};

/** Checks that DynamoDB makes after the constraints and before those that need a table. */
const after: Readonly<Record<string, Check>> = {
  GetItem: checkGetItem,
  PutItem: checkPutItem,
  UpdateItem: checkUpdateItem,
  DeleteItem: checkDeleteItem,
  Query: checkQuery,
  Scan: checkScan,
  BatchGetItem: checkBatchGetItem,
  BatchWriteItem: checkBatchWriteItem,
  TransactWriteItems: checkTransactWriteItems,
  TransactGetItems: checkTransactGetItems,
  ExecuteStatement: checkStatement,
  BatchExecuteStatement: checkBatchExecuteStatement,
  ExecuteTransaction: checkExecuteTransaction,
  CreateTable: checkCreateTable,
  UpdateTable: checkUpdateTable,
  TagResource: checkTagResource,
  UntagResource: checkUntagResource,
  ListTagsOfResource: checkTableArn,
  ListStreams: checkListStreams,
  DescribeStream: checkDescribeStream,
  GetShardIterator: checkGetShardIterator,
};

interface Operation {
  readonly read: Reader;
  readonly before: Check | undefined;
  readonly constraints: Checker | undefined;
  readonly after: Check | undefined;
}

const operations: ReadonlyMap<string, Operation> = new Map(
  Object.entries({ ...itemShapes, ...batchShapes, ...tableShapes, ...streamShapes }).map(([name, shape]) => [
    name,
    {
      read: compileReader(shape),
      before: before[name],
      constraints: compileChecker(shape),
      after: after[name],
    },
  ]),
);

/**
 * Validates the JSON of a request as DynamoDB does before it looks at any table.
 *
 * @param operation the name of the operation, for example `PutItem`.
 * @returns the input without nulls and unknown members, with attribute values normalised by `checkValue`.
 * @throws SerializationException for wrong JSON types, ValidationException for invalid values,
 *   UnknownOperationException for an unknown operation.
 */
export function validateRequest(operation: string, input: unknown): Record<string, unknown> {
  const checks = operations.get(operation);
  if (checks === undefined) throw unsupportedError(operation);
  if (input === null || input === undefined) throw serializationError('Unexpected null value');
  const read = checks.read(input) as Input;
  checks.before?.(read);
  const violations: Violation[] = [];
  checks.constraints?.(read, '', violations);
  if (violations.length > 0) throw describeViolations(violations);
  checks.after?.(read);
  return read;
}
