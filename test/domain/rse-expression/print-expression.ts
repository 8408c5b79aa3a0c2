import { type Expression, reduceExpression, type Primitive } from '../../../lib/domain/rse-expression/expression.ts';

/** The shortest text that {@link parseExpression} reads as this expression. */
export function printExpression(expression: Expression): string {
  return reduceExpression<{ readonly text: string; readonly isOperation: boolean }>(expression, {
    primitive: (primitive) => ({ text: printPrimitive(primitive), isOperation: false }),
    operation: (operator, left, right) => ({
      text: left.text + operator + (right.isOperation ? `(${right.text})` : right.text),
      isOperation: true,
    }),
  }).text;
}

function printPrimitive(primitive: Primitive): string {
  switch (primitive.kind) {
    case 'everything':
      return '*';
    case 'tag':
      return primitive.key;
    case 'comparison':
      return primitive.key + primitive.comparator + primitive.value;
  }
}
