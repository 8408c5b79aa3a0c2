import type { EngineError } from '../errors.ts';
import type { AttributeValue, Item } from '../values/attribute-value.ts';
import { equalPaths, type Path, printPath } from './path.ts';

/** An operand of an operator or a function, with its names and values. */
export interface Operand {
  readonly read: (item: Item) => AttributeValue | undefined;
  /** Its type, when that does not depend on the item. */
  readonly type?: string;
  readonly path?: Path;
  readonly constant?: AttributeValue;
}

/** The error for what is wrong with operands; expressions and statements begin their messages differently. */
export type Refuse = (message: string) => EngineError;

/** @throws ValidationException when one of the operands has another type for certain. */
export function requireTypes(
  operator: string,
  allowed: ReadonlySet<string>,
  operands: readonly Operand[],
  refuse: Refuse,
): void {
  const wrong = operands.find(({ type }) => type !== undefined && !allowed.has(type))?.type;
  if (wrong !== undefined) throw wrongType(operator, wrong, refuse);
}

/** @throws ValidationException when the first operand is among the others. */
export function requireDistinct(operator: string, [first, ...others]: readonly Operand[], refuse: Refuse): void {
  const path = first?.path;
  if (path === undefined || !others.some((other) => other.path !== undefined && equalPaths(path, other.path))) return;
  throw refuse(
    'The first operand must be distinct from the remaining operands for this operator or function; ' +
      `operator: ${operator}, first operand: ${printPath(path)}`,
  );
}

/**
 * The path that an operand is.
 *
 * @throws ValidationException when it is none.
 */
export function requirePath(operator: string, { path }: Operand, refuse: Refuse): Path {
  if (path !== undefined) return path;
  throw refuse(`Operator or function requires a document path; operator or function: ${operator}`);
}

/** The error of an operand that has the wrong type. */
export function wrongType(operator: string, type: string, refuse: Refuse): EngineError {
  return refuse(
    `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`,
  );
}

/** The error of a function with too many operands or too few. */
export function wrongCount(operator: string, count: number, refuse: Refuse): EngineError {
  return refuse(
    'Incorrect number of operands for operator or function; ' +
      `operator or function: ${operator}, number of operands: ${count}`,
  );
}
