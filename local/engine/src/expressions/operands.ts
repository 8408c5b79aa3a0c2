import type { EngineError } from '../errors.ts';
import type { AttributeValue, Item } from '../values/attribute-value.ts';
import { equalPaths, type Path, printPath } from './path.ts';

/** An operand of an operator or a function, with its names and values. */
export interface Operand {
  readonly read: (item: Item) => AttributeValue | undefined;
  /** Its type, if that does not depend on the item. */
  readonly type?: string;
  readonly path?: Path;
  readonly constant?: AttributeValue;
}

/** Makes the error for invalid operands; its message differs between expressions and statements. */
export type Refuse = (message: string) => EngineError;

/** @throws ValidationException if an operand certainly has another type. */
export function requireTypes(
  operator: string,
  allowed: ReadonlySet<string>,
  operands: readonly Operand[],
  refuse: Refuse,
): void {
  const wrong = operands.find(({ type }) => type !== undefined && !allowed.has(type))?.type;
  if (wrong !== undefined) throw wrongTypeError(operator, wrong, refuse);
}

/** @throws ValidationException if the first operand equals one of the others. */
export function requireDistinct(operator: string, [first, ...others]: readonly Operand[], refuse: Refuse): void {
  const path = first?.path;
  if (path === undefined || !others.some((other) => other.path !== undefined && equalPaths(path, other.path))) return;
  throw refuse(
    'The first operand must be distinct from the remaining operands for this operator or function; ' +
      `operator: ${operator}, first operand: ${printPath(path)}`,
  );
}

/**
 * The path of an operand.
 *
 * @throws ValidationException if it is not a path.
 */
export function requirePath(operator: string, { path }: Operand, refuse: Refuse): Path {
  if (path !== undefined) return path;
  throw refuse(`Operator or function requires a document path; operator or function: ${operator}`);
}

/** The error of an operand with the wrong type. */
export function wrongTypeError(operator: string, type: string, refuse: Refuse): EngineError {
  return refuse(
    `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`,
  );
}

/** The error of a function with too many operands or too few. */
export function wrongCountError(operator: string, count: number, refuse: Refuse): EngineError {
  return refuse(
    'Incorrect number of operands for operator or function; ' +
      `operator or function: ${operator}, number of operands: ${count}`,
  );
}
