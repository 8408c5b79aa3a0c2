import {
  attributes,
  attributesToGet,
  conditionMembers,
  expressionAttributeNames,
  resourceName,
  returnConsumedCapacity,
  returnItemCollectionMetrics,
  returnValuesOnFailure,
  tableName,
} from './common.ts';
import { flag, integer, list, map, required, structure, type StructureShape, text, value } from './shape.ts';

const isEmpty = (tables: unknown) => Object.keys(tables as object).length === 0;

/** The path of a table's keys in the request's spelling. */
const restoreNames = (path: string) => path.replace(/^r/, 'R').replace(/k(?=eys$)/, 'K');

const keysOfTable = structure('KeysAndAttributes', {
  Keys: required(
    list(attributes, {
      least: 1,
      most: 100,
      alone: (path, keys) =>
        Array.isArray(keys) && keys.length > 100
          ? `1 validation error detected: Value at '${restoreNames(path)}' failed to satisfy constraint: Member must have length less than or equal to 100`
          : undefined,
    }),
  ),
  AttributesToGet: attributesToGet,
  ConsistentRead: flag,
  ProjectionExpression: text(),
  ExpressionAttributeNames: expressionAttributeNames,
});

const writeRequest = structure('WriteRequest', {
  DeleteRequest: structure('DeleteRequest', { Key: required(attributes) }),
  PutRequest: structure('PutRequest', { Item: required(attributes) }),
});

const transactWriteItem = structure('TransactWriteItem', {
  ConditionCheck: structure('ConditionCheck', {
    Key: required(attributes),
    TableName: required(tableName),
    ...conditionMembers,
    ConditionExpression: required(text()),
  }),
  Put: structure('Put', { Item: required(attributes), TableName: required(tableName), ...conditionMembers }),
  Delete: structure('Delete', { Key: required(attributes), TableName: required(tableName), ...conditionMembers }),
  Update: structure('Update', {
    Key: required(attributes),
    UpdateExpression: required(text()),
    TableName: required(tableName),
    ...conditionMembers,
  }),
});

const transactGetItem = structure('TransactGetItem', {
  Get: required(
    structure('Get', {
      Key: required(attributes),
      TableName: required(tableName),
      ProjectionExpression: text(),
      ExpressionAttributeNames: expressionAttributeNames,
    }),
  ),
});

const statement = required(text({ least: 1, most: 8192 }));
const parameters = list(value, { least: 1 });
const clientRequestToken = text({ least: 1, most: 36 });

/** The inputs of batch and transaction operations, and of PartiQL statements. */
export const batchShapes: Readonly<Record<string, StructureShape>> = {
  BatchGetItem: structure('BatchGetItemInput', {
    ReturnConsumedCapacity: returnConsumedCapacity,
    RequestItems: required(
      map(keysOfTable, {
        least: 1,
        most: 100,
        keys: resourceName,
        alone: (_, tables) => (isEmpty(tables) ? 'The requestItems parameter is required for BatchGetItem' : undefined),
      }),
    ),
  }),
  BatchWriteItem: structure('BatchWriteItemInput', {
    ReturnConsumedCapacity: returnConsumedCapacity,
    ReturnItemCollectionMetrics: returnItemCollectionMetrics,
    RequestItems: required(
      map(list(writeRequest, { least: 1, most: 25 }), {
        least: 1,
        most: 25,
        keys: resourceName,
        membersAtMap: true,
        alone: (_, tables) =>
          isEmpty(tables) ? 'The requestItems parameter is required for BatchWriteItem' : undefined,
      }),
    ),
  }),
  TransactWriteItems: structure('TransactWriteItemsInput', {
    ReturnConsumedCapacity: returnConsumedCapacity,
    ReturnItemCollectionMetrics: returnItemCollectionMetrics,
    ClientRequestToken: clientRequestToken,
    TransactItems: required(list(transactWriteItem, { least: 1, most: 100 })),
  }),
  TransactGetItems: structure('TransactGetItemsInput', {
    ReturnConsumedCapacity: returnConsumedCapacity,
    TransactItems: required(list(transactGetItem, { least: 1, most: 100 })),
  }),
  ExecuteStatement: structure('ExecuteStatementInput', {
    Statement: statement,
    Parameters: parameters,
    ConsistentRead: flag,
    NextToken: text({ least: 1, most: 32_768 }),
    ReturnConsumedCapacity: returnConsumedCapacity,
    Limit: integer({ least: 1 }),
    ReturnValuesOnConditionCheckFailure: returnValuesOnFailure,
  }),
  BatchExecuteStatement: structure('BatchExecuteStatementInput', {
    Statements: required(
      list(
        structure('BatchStatementRequest', {
          Statement: statement,
          Parameters: parameters,
          ConsistentRead: flag,
          ReturnValuesOnConditionCheckFailure: returnValuesOnFailure,
        }),
        { least: 1, most: 25 },
      ),
    ),
    ReturnConsumedCapacity: returnConsumedCapacity,
  }),
  ExecuteTransaction: structure('ExecuteTransactionInput', {
    TransactStatements: required(
      list(
        structure('ParameterizedStatement', {
          Statement: statement,
          Parameters: parameters,
          ReturnValuesOnConditionCheckFailure: returnValuesOnFailure,
        }),
        { least: 1, most: 100 },
      ),
    ),
    ClientRequestToken: clientRequestToken,
    ReturnConsumedCapacity: returnConsumedCapacity,
  }),
};
