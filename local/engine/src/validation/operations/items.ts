import { validationError } from '../../errors.ts';
import type { Item } from '../../values/attribute-value.ts';
import { itemSize, maxItemBytes } from '../../values/size.ts';
import { checkAttributeUpdates, checkConditionalOperator, checkExpected } from '../conditions.ts';
import {
  checkAttributesToGet,
  checkExpressionAttributes,
  checkMixture,
  type Input,
  type Parameters,
} from '../parameters.ts';
import { checkItem } from '../values.ts';

/** The parameters of a read of items by key. */
export const readParameters: Parameters = {
  legacy: ['AttributesToGet'],
  expressions: ['ProjectionExpression'],
  withValues: [],
  parsed: ['ProjectionExpression'],
};

/** The parameters of a put, a delete and a condition check. */
export const conditionParameters: Parameters = {
  legacy: ['Expected', 'ConditionalOperator'],
  expressions: ['ConditionExpression'],
  withValues: ['ConditionExpression'],
  parsed: ['ConditionExpression'],
};

/** The parameters of an update. */
export const updateParameters: Parameters = {
  legacy: ['AttributeUpdates', 'Expected', 'ConditionalOperator'],
  expressions: ['UpdateExpression', 'ConditionExpression'],
  withValues: ['UpdateExpression', 'ConditionExpression'],
  parsed: ['UpdateExpression', 'ConditionExpression'],
};

/**
 * Checks the size of an item to write.
 *
 * @returns its size in bytes.
 * @throws ValidationException if it is too large.
 */
export function checkItemSize(item: Item): number {
  const size = itemSize(item);
  if (size > maxItemBytes) throw validationError('Item size has exceeded the maximum allowed size');
  return size;
}

/** Checks a GetItem. */
export function checkGetItem(input: Input): void {
  checkMixture(input, readParameters);
  input.Key = checkItem(input.Key);
  checkAttributesToGet(input);
  checkExpressionAttributes(input, readParameters);
}

/** Checks a PutItem. */
export function checkPutItem(input: Input): void {
  checkMixture(input, conditionParameters);
  checkReturnValues(input);
  const item = checkItem(input.Item);
  checkItemSize(item);
  input.Item = item;
  checkExpected(input);
  checkConditionalOperator(input, input.Expected);
  checkExpressionAttributes(input, conditionParameters);
}

/** Checks an UpdateItem. */
export function checkUpdateItem(input: Input): void {
  checkMixture(input, updateParameters);
  input.Key = checkItem(input.Key);
  checkAttributeUpdates(input);
  checkExpected(input);
  checkConditionalOperator(input, input.Expected);
  checkExpressionAttributes(input, updateParameters);
}

/** Checks a DeleteItem. */
export function checkDeleteItem(input: Input): void {
  checkMixture(input, conditionParameters);
  checkReturnValues(input);
  input.Key = checkItem(input.Key);
  checkExpected(input);
  checkConditionalOperator(input, input.Expected);
  checkExpressionAttributes(input, conditionParameters);
}

function checkReturnValues({ ReturnValues }: Input): void {
  if (ReturnValues !== undefined && ReturnValues !== 'NONE' && ReturnValues !== 'ALL_OLD') {
    throw validationError('ReturnValues can only be ALL_OLD or NONE');
  }
}
