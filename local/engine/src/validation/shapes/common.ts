import { flag, list, map, oneOf, type Shape, structure, text, type TextShape, value } from './shape.ts';

const namePattern = /^[a-zA-Z0-9_.-]+$/;

/** The name of an index, or of a table that is created or described. */
export const resourceName: TextShape = text({ pattern: namePattern, least: 3, most: 255 });

/**
 * The name of a table whose items are read or written. DynamoDB has another message for an empty name there, unless
 * something else is wrong too.
 */
export const tableName: TextShape = {
  ...resourceName,
  alone: (path, name) =>
    name === ''
      ? `1 validation error detected: Value '' at '${path}' failed to satisfy constraint: Member must have length greater than or equal to 1`
      : undefined,
};

/** The name of a key attribute. */
export const keyAttributeName: TextShape = text({ least: 1, most: 255 });

/** Attributes with their values. */
export const attributes: Shape = map(value);

/** The names of requested attributes. */
export const attributesToGet: Shape = list(text(), { least: 1 });

/** Common members of requests with expressions. */
export const expressionAttributeNames: Shape = map(text());

/** Whether a request asks for its consumed capacity. */
export const returnConsumedCapacity: TextShape = oneOf('INDEXES', 'TOTAL', 'NONE');

/** Whether a write asks for the sizes of item collections. */
export const returnItemCollectionMetrics: TextShape = oneOf('SIZE', 'NONE');

/** The attributes that a write returns. */
export const returnValues: TextShape = oneOf('ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW');

/** The attributes that a write returns if its condition is false. */
export const returnValuesOnFailure: TextShape = oneOf('ALL_OLD', 'NONE');

/** How legacy conditions are combined. */
export const conditionalOperator: TextShape = oneOf('OR', 'AND');

/** The operator of a legacy condition. */
export const comparisonOperator: TextShape = oneOf(
  'IN',
  'NULL',
  'BETWEEN',
  'LT',
  'NOT_CONTAINS',
  'EQ',
  'GT',
  'NOT_NULL',
  'NE',
  'LE',
  'BEGINS_WITH',
  'GE',
  'CONTAINS',
);

/** The legacy condition of a write. */
export const expected: Shape = map(
  structure('ExpectedAttributeValue', {
    Value: value,
    Exists: flag,
    ComparisonOperator: comparisonOperator,
    AttributeValueList: list(value),
  }),
);

/** The members of a write with a condition expression. */
export const conditionMembers = {
  ConditionExpression: text(),
  ExpressionAttributeNames: expressionAttributeNames,
  ExpressionAttributeValues: attributes,
  ReturnValuesOnConditionCheckFailure: returnValuesOnFailure,
} as const satisfies Record<string, Shape>;
