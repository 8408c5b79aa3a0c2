import type { CapacityDetail } from '../capacity.ts';
import { Bindings } from '../expressions/bindings.ts';
import { compileCondition, type Condition } from '../expressions/condition.ts';
import { compileProjection, projectPaths } from '../expressions/projection.ts';
import { conditionOfExpected, type ExpectedConditions } from '../legacy/expected.ts';
import type { ItemView } from '../reading/item-view.ts';
import type { AttributeValue } from '../values/attribute-value.ts';
import type { CollectionDetail } from './collection-metrics.ts';

/** The names and values for the expressions of a request. */
export interface WithBindings {
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, AttributeValue>;
}

/** A request that may have a projection. */
export interface WithProjection extends WithBindings {
  readonly ProjectionExpression?: string;
  readonly AttributesToGet?: readonly string[];
}

/** A request that may have a condition. */
export interface WithCondition extends WithBindings {
  readonly ConditionExpression?: string;
  readonly Expected?: ExpectedConditions;
  readonly ConditionalOperator?: 'AND' | 'OR';
  readonly ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE';
}

/** A write of one item. */
export interface WriteInput extends WithCondition {
  readonly TableName: string;
  readonly ReturnValues?: 'NONE' | 'ALL_OLD' | 'UPDATED_OLD' | 'ALL_NEW' | 'UPDATED_NEW';
  readonly ReturnConsumedCapacity?: CapacityDetail;
  readonly ReturnItemCollectionMetrics?: CollectionDetail;
}

/** The bindings of a request. */
export function bindingsOf({ ExpressionAttributeNames, ExpressionAttributeValues }: WithBindings): Bindings {
  return new Bindings(ExpressionAttributeNames, ExpressionAttributeValues);
}

/** Reads the projection of a request; undefined: all attributes. */
export function readItemView(
  { ProjectionExpression, AttributesToGet }: WithProjection,
  bindings: Bindings,
): ItemView | undefined {
  if (ProjectionExpression !== undefined) return compileProjection(ProjectionExpression, bindings);
  if (AttributesToGet === undefined) return undefined;
  const paths = AttributesToGet.map((name) => [name]);
  return { attributes: AttributesToGet, paths, project: (item) => projectPaths(item, paths) };
}

/** Reads the condition of a request. */
export function readCondition(
  { ConditionExpression, Expected, ConditionalOperator }: WithCondition,
  bindings: Bindings,
): Condition | undefined {
  if (ConditionExpression !== undefined) {
    return compileCondition(ConditionExpression, 'ConditionExpression', bindings);
  }
  return Expected === undefined ? undefined : conditionOfExpected(Expected, ConditionalOperator);
}
