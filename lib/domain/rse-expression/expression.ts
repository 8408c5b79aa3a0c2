/** An RSE expression, parsed (spec/rses.md 5.1). */
export type Expression = Primitive | Operation;

/** What stands for a set of RSEs by itself. */
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

/** A key beside a value. */
export interface Comparison {
  readonly kind: 'comparison';
  readonly key: string;
  readonly comparator: Comparator;
  readonly value: string;
}

/** Two expressions; in `left` everything that stands before the operator, since none takes precedence. */
export interface Operation {
  readonly kind: 'operation';
  readonly operator: Operator;
  readonly left: Expression;
  readonly right: Expression;
}

/** How a comparison compares. */
export type Comparator = '=' | '<' | '>';

/** Union, intersection, difference. */
export type Operator = '|' | '&' | '\\';

/** What to make of the parts of an expression. */
interface Meaning<T> {
  readonly primitive: (primitive: Primitive) => T;
  readonly operation: (operator: Operator, left: T, right: T) => T;
}

/** Goes through an expression from left to right. Without recursion: expressions may nest as deep as they are long. */
export function fold<T>(expression: Expression, meaning: Meaning<T>): T {
  const due: (Expression | Operator)[] = [expression];
  const done: T[] = [];
  for (let next = due.pop(); next !== undefined; next = due.pop()) {
    if (typeof next === 'string') {
      const right = done.pop() as T;
      const left = done.pop() as T;
      done.push(meaning.operation(next, left, right));
    } else if (next.kind === 'operation') due.push(next.operator, next.right, next.left);
    else done.push(meaning.primitive(next));
  }
  return done.pop() as T;
}
