import { validationError } from '../../errors.ts';
import { checkAttributesToGet, checkExpressionAttributes, checkMixture, type Input } from '../parameters.ts';
import { checkItem, checkValue, notOneTypeError } from '../values.ts';
import { checkItemSize, conditionParameters, readParameters, updateParameters } from './items.ts';

const maxKeys = 100;

/** Checks a BatchGetItem. */
export function checkBatchGetItem(input: Input): void {
  const tables = Object.values(input.RequestItems as Readonly<Record<string, Input>>);
  let count = 0;
  for (const table of tables) {
    checkMixture(table, readParameters);
    checkAttributesToGet(table);
    checkExpressionAttributes(table, readParameters);
    count += (table.Keys as readonly unknown[]).length;
  }
  if (count > maxKeys) throw validationError('Too many items requested for the BatchGetItem call');
  for (const table of tables) {
    table.Keys = (table.Keys as readonly unknown[]).map(checkItem);
  }
}

const maxWrites = 25;

/** Checks a BatchWriteItem. */
export function checkBatchWriteItem(input: Input): void {
  const requests = Object.values(input.RequestItems as Readonly<Record<string, readonly Input[]>>).flat();
  if (requests.length > maxWrites) throw validationError('Too many items requested for the BatchWriteItem call');
  for (const { PutRequest, DeleteRequest } of requests) {
    if ((PutRequest === undefined) === (DeleteRequest === undefined)) throw notOneTypeError();
    if (PutRequest !== undefined) checkPut(PutRequest as Input);
    else (DeleteRequest as Input).Key = checkItem((DeleteRequest as Input).Key);
  }
}

/** Checks the item of a put; returns its size in bytes. */
function checkPut(put: Input): number {
  const item = checkItem(put.Item);
  put.Item = item;
  return checkItemSize(item);
}

/** Size limit of the items in a transaction. */
const maxTransactionBytes = 4_194_304;

const actions = ['ConditionCheck', 'Put', 'Delete', 'Update'] as const;

/** Checks a TransactWriteItems. */
export function checkTransactWriteItems(input: Input): void {
  let size = 0;
  for (const item of input.TransactItems as readonly Input[]) {
    const [name, ...others] = actions.filter((action) => item[action] !== undefined);
    if (name === undefined) {
      throw validationError('Invalid Request: TransactWriteRequest should contain Delete or Put or Update request');
    }
    if (others.length > 0) throw validationError('TransactItems can only contain one of Check, Put, Update or Delete');
    const action = item[name] as Input;
    const parameters = name === 'Update' ? updateParameters : conditionParameters;
    checkMixture(action, parameters);
    if (name === 'Put') size += checkPut(action);
    else action.Key = checkItem(action.Key);
    checkExpressionAttributes(action, parameters);
    if (size > maxTransactionBytes) {
      throw validationError(`Transaction payload size cannot exceed 4MB. Payload Size: ${size}`);
    }
  }
}

/** Checks a TransactGetItems. */
export function checkTransactGetItems(input: Input): void {
  for (const { Get } of input.TransactItems as ReadonlyArray<{ Get: Input }>) checkGet(Get);
}

function checkGet(get: Input): void {
  checkMixture(get, readParameters);
  get.Key = checkItem(get.Key);
  checkExpressionAttributes(get, readParameters);
}

/** Checks an ExecuteStatement, or one statement of several. */
export function checkStatement(input: Input): void {
  if (input.Parameters !== undefined) input.Parameters = (input.Parameters as readonly unknown[]).map(checkValue);
}

/** Checks a BatchExecuteStatement. */
export function checkBatchExecuteStatement(input: Input): void {
  for (const statement of input.Statements as readonly Input[]) checkStatement(statement);
}

/** Checks an ExecuteTransaction. */
export function checkExecuteTransaction(input: Input): void {
  for (const statement of input.TransactStatements as readonly Input[]) checkStatement(statement);
}
