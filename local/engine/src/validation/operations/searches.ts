import { EngineError, validationError } from '../../errors.ts';
import { requireTermCount } from '../../expressions/key-terms.ts';
import { checkConditionalOperator, checkConditions } from '../conditions.ts';
import {
  checkAttributesToGet,
  checkExpressionAttributes,
  checkMixture,
  type Input,
  type Parameters,
} from '../parameters.ts';
import { checkItem, messagesOfStartingKeys } from '../values.ts';

const queryParameters: Parameters = {
  legacy: ['AttributesToGet', 'QueryFilter', 'ConditionalOperator', 'KeyConditions'],
  expressions: ['ProjectionExpression', 'FilterExpression', 'KeyConditionExpression'],
  withValues: ['FilterExpression', 'KeyConditionExpression'],
  parsed: ['KeyConditionExpression', 'FilterExpression', 'ProjectionExpression'],
};

const scanParameters: Parameters = {
  legacy: ['AttributesToGet', 'ScanFilter', 'ConditionalOperator'],
  expressions: ['ProjectionExpression', 'FilterExpression'],
  withValues: ['FilterExpression'],
  parsed: ['FilterExpression', 'ProjectionExpression'],
};

/** Checks a Query. */
export function checkQuery(input: Input): void {
  checkMixture(input, queryParameters);
  checkConditions(input.QueryFilter);
  checkAttributesToGet(input);
  checkStartKey(input);
  checkConditions(input.KeyConditions);
  checkConditionalOperator(input, input.QueryFilter);
  const { KeyConditions } = input;
  if (KeyConditions !== undefined) requireTermCount(Object.keys(KeyConditions as object).length);
  checkExpressionAttributes(input, queryParameters);
  if (KeyConditions === undefined && input.KeyConditionExpression === undefined) {
    throw validationError(
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    );
  }
  checkSelect(input);
}

/** Checks a Scan. */
export function checkScan(input: Input): void {
  checkMixture(input, scanParameters);
  checkAttributesToGet(input);
  checkConditions(input.ScanFilter);
  checkConditionalOperator(input, input.ScanFilter);
  checkStartKey(input);
  checkSegments(input);
  checkExpressionAttributes(input, scanParameters);
  checkSelect(input);
}

function checkStartKey(input: Input): void {
  if (input.ExclusiveStartKey === undefined) return;
  try {
    input.ExclusiveStartKey = checkItem(input.ExclusiveStartKey);
  } catch (error) {
    if (error instanceof EngineError && messagesOfStartingKeys.has(error.message)) {
      throw validationError(`The provided starting key is invalid: ${error.message}`);
    }
    throw error;
  }
}

function checkSegments({ Segment, TotalSegments }: Input): void {
  if (Segment === undefined && TotalSegments === undefined) return;
  if (TotalSegments === undefined) {
    throw validationError(
      'The TotalSegments parameter is required but was not present in the request when Segment parameter is present',
    );
  }
  if (Segment === undefined) {
    throw validationError(
      'The Segment parameter is required but was not present in the request when parameter TotalSegments is present',
    );
  }
  if ((Segment as number) >= (TotalSegments as number)) {
    throw validationError(
      'The Segment parameter is zero-based and must be less than parameter TotalSegments: ' +
        `Segment: ${Segment as number} is not less than TotalSegments: ${TotalSegments as number}`,
    );
  }
}

function checkSelect({ Select, AttributesToGet, ProjectionExpression, IndexName }: Input): void {
  if (Select === undefined) return;
  const given = ['AttributesToGet', 'ProjectionExpression'].find(
    (_, i) => [AttributesToGet, ProjectionExpression][i] !== undefined,
  );
  if (Select === 'SPECIFIC_ATTRIBUTES') {
    if (given !== undefined) return;
    throw validationError(
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    );
  }
  if (given !== undefined) {
    const chosen = Select === 'COUNT' ? 'only the Count' : (Select as string);
    throw validationError(`Cannot specify the ${given} when choosing to get ${chosen}`);
  }
  if (Select === 'ALL_PROJECTED_ATTRIBUTES' && IndexName === undefined) {
    throw validationError('ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName');
  }
}
