/** An RSE expression, parsed (spec/rses.md 5.1). */
export type Expression = Primitive | Operation;

/** An operand of an expression. */
export type Primitive = Everything | Tag | Comparison;

/** `*`: all live RSEs. */
export interface Everything {
  readonly kind: 'everything';
}

/** A bare key, such as the name of an RSE: the key is true. */
export interface Tag {
  readonly kind: 'tag';
  readonly key: string;
}

/** A key compared with a value. */
export interface Comparison {
  readonly kind: 'comparison';
  readonly key: string;
  readonly comparator: Comparator;
  readonly value: string;
}

/** Two expressions. `left` is everything before the operator, since no operator has precedence. */
export interface Operation {
  readonly kind: 'operation';
  readonly operator: Operator;
  readonly left: Expression;
  readonly right: Expression;
}

/** The operator of a comparison. */
export type Comparator = '=' | '<' | '>';

/** Union, intersection, difference. */
export type Operator = '|' | '&' | '\\';

/** The result of each part of an expression. */
interface Reducer<T> {
  readonly primitive: (primitive: Primitive) => T;
  readonly operation: (operator: Operator, left: T, right: T) => T;
}

/** Reduces an expression from left to right. Without recursion: the nesting depth of an expression has no limit. */
export function reduceExpression<T>(expression: Expression, reducer: Reducer<T>): T {
  const due: (Expression | Operator)[] = [expression];
  const done: T[] = [];
  for (let next = due.pop(); next !== undefined; next = due.pop()) {
    if (typeof next === 'string') {
      const right = done.pop() as T;
      const left = done.pop() as T;
      done.push(reducer.operation(next, left, right));
    } else if (next.kind === 'operation') due.push(next.operator, next.right, next.left);
    else done.push(reducer.primitive(next));
  }
  return done.pop() as T;
}
