import { flag, list, map, oneOf, type Shape, structure, text, type TextShape, value } from './shape.ts';

const namePattern = /^[a-zA-Z0-9_.-]+$/;

/** The name of an index, and of a table where it is made or described. */
export const resourceName: TextShape = text({ pattern: namePattern, least: 3, most: 255 });

/**
 * The name of a table that items are read from or written to. DynamoDB has other words for an empty name there, unless
 * something else is wrong too.
 */
export const tableName: TextShape = {
  ...resourceName,
  alone: (path, name) =>
    name === ''
      ? `1 validation error detected: Value '' at '${path}' failed to satisfy constraint: Member must have length greater than or equal to 1`
      : undefined,
};

/** The name of an attribute of a key. */
export const keyAttributeName: TextShape = text({ least: 1, most: 255 });

/** Attributes with their values. */
export const attributes: Shape = map(value);

/** The names of attributes that a request asks for. */
export const attributesToGet: Shape = list(text(), { least: 1 });

/** Members that requests with expressions share. */
export const expressionAttributeNames: Shape = map(text());

/** What a request wants to know of the capacity that it takes. */
export const returnConsumedCapacity: TextShape = oneOf('INDEXES', 'TOTAL', 'NONE');

/** What a write wants to know of the sizes of item collections. */
export const returnItemCollectionMetrics: TextShape = oneOf('SIZE', 'NONE');

/** What a write answers with. */
export const returnValues: TextShape = oneOf('ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW');

/** What a write answers with when its condition does not hold. */
export const returnValuesOnFailure: TextShape = oneOf('ALL_OLD', 'NONE');

/** How conditions of the older kind are joined. */
export const conditionalOperator: TextShape = oneOf('OR', 'AND');

/** The operator of a condition of the older kind. */
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

/** What an item has to be for a write, in the older kind of conditions. */
export const expected: Shape = map(
  structure('ExpectedAttributeValue', {
    Value: value,
    Exists: flag,
    ComparisonOperator: comparisonOperator,
    AttributeValueList: list(value),
  }),
);

/** The members of a write that has a condition as an expression. */
export const conditionMembers = {
  ConditionExpression: text(),
  ExpressionAttributeNames: expressionAttributeNames,
  ExpressionAttributeValues: attributes,
  ReturnValuesOnConditionCheckFailure: returnValuesOnFailure,
} as const satisfies Record<string, Shape>;
