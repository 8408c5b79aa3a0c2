import { type AttributeValue, type Item, typeOf } from '../values/attribute-value.ts';
import { compareValues } from '../values/compare.ts';
import { type Operand, type Refuse, requireDistinct, requirePath, requireTypes, wrongTypeError } from './operands.ts';
import type { Comparator } from './syntax.ts';
import { beginsWith, contains, isComparisonTrue, sizeOf } from './value-tests.ts';

/**
 * The operators and functions of conditions, common to expressions and statements. Each binding function throws a
 * ValidationException for operands that do not match.
 */

/** Evaluates a condition on an item. */
export type Test = (item: Item) => boolean;

const ordered: ReadonlySet<string> = new Set(['S', 'N', 'B']);
const texts: ReadonlySet<string> = new Set(['S', 'B']);
const onlyText: ReadonlySet<string> = new Set(['S']);
const sized: ReadonlySet<string> = new Set(['S', 'B', 'SS', 'NS', 'BS', 'L', 'M']);
const types = ['B', 'NULL', 'SS', 'BOOL', 'L', 'BS', 'N', 'NS', 'S', 'M'];
const maxMembers = 100;

/** Binds a comparison. */
export function bindComparison(operator: Comparator, operands: readonly [Operand, Operand], refuse: Refuse): Test {
  if (operator !== '=' && operator !== '<>') requireTypes(operator, ordered, operands, refuse);
  requireDistinct(operator, operands, refuse);
  const [left, right] = operands;
  return (item) => isComparisonTrue(operator, left.read(item), right.read(item));
}

/** Binds BETWEEN: a value and its bounds. */
export function bindBetween(operands: readonly [Operand, Operand, Operand], refuse: Refuse): Test {
  requireTypes('BETWEEN', ordered, operands, refuse);
  requireDistinct('BETWEEN', operands, refuse);
  const [value, lower, upper] = operands;
  requireBounds(lower.constant, upper.constant, refuse);
  return (item) => {
    const found = value.read(item);
    return isComparisonTrue('>=', found, lower.read(item)) && isComparisonTrue('<=', found, upper.read(item));
  };
}

function requireBounds(lower: AttributeValue | undefined, upper: AttributeValue | undefined, refuse: Refuse): void {
  if (lower === undefined || upper === undefined) return;
  const order = compareValues(lower, upper);
  if (order !== undefined && order <= 0) return;
  const rule =
    order === undefined
      ? 'same data type for lower and upper bounds'
      : 'upper bound to be greater than or equal to lower bound';
  throw refuse(
    `The BETWEEN operator requires ${rule}; lower bound operand: AttributeValue: ${printBound(lower)}, ` +
      `upper bound operand: AttributeValue: ${printBound(upper)}`,
  );
}

/** A bound in AWS's notation: binary values by their length only. */
function printBound(value: AttributeValue): string {
  if ('S' in value) return `{S:${value.S}}`;
  if ('N' in value) return `{N:${value.N}}`;
  const length = sizeOf(value);
  return `{B:java.nio.HeapByteBuffer[pos=0 lim=${length} cap=${length}]}`;
}

/** Binds IN: a value and its candidates. */
export function bindIn(value: Operand, members: readonly Operand[], refuse: Refuse): Test {
  if (members.length > maxMembers) {
    throw refuse(`The IN operator is provided with too many operands; number of operands: ${members.length}`);
  }
  requireDistinct('IN', [value, ...members], refuse);
  return (item) => {
    const found = value.read(item);
    return members.some((member) => isComparisonTrue('=', found, member.read(item)));
  };
}

/** Binds attribute_exists and attribute_not_exists. */
export function bindPresence(
  name: 'attribute_exists' | 'attribute_not_exists',
  operand: Operand,
  refuse: Refuse,
): Test {
  requirePath(name, operand, refuse);
  const exists = name === 'attribute_exists';
  return (item) => (operand.read(item) !== undefined) === exists;
}

/** Binds begins_with and contains: a value and a part of it. */
export function bindPart(
  name: 'begins_with' | 'contains',
  operands: readonly [Operand, Operand],
  refuse: Refuse,
): Test {
  if (name === 'begins_with') requireTypes(name, texts, operands, refuse);
  requireDistinct(name, operands, refuse);
  const [value, part] = operands;
  const test = name === 'begins_with' ? beginsWith : contains;
  return (item) => {
    const [whole, wanted] = [value.read(item), part.read(item)];
    return whole !== undefined && wanted !== undefined && test(whole, wanted);
  };
}

/** Binds attribute_type: a value and the name of a type. */
export function bindAttributeType(operands: readonly [Operand, Operand], refuse: Refuse): Test {
  const [value, type] = operands;
  const name = 'attribute_type';
  requireTypes(name, onlyText, [type], refuse);
  requireDistinct(name, operands, refuse);
  if (type.constant === undefined || !('S' in type.constant)) {
    throw wrongTypeError(name, '{NS,SS,L,BS,N,M,B,BOOL,NULL,S}', refuse);
  }
  const wanted = type.constant.S;
  if (!types.includes(wanted)) {
    throw refuse(`Invalid attribute type name found; type: ${wanted}, valid types: {${types.join(',')}}`);
  }
  return (item) => isOfType(value.read(item), wanted);
}

/** Whether a value exists and has this type. */
export function isOfType(value: AttributeValue | undefined, type: string): boolean {
  return value !== undefined && typeOf(value) === type;
}

/** Binds size, which is itself an operand. */
export function bindSize(operand: Operand, refuse: Refuse): Operand {
  requireTypes('size', sized, [operand], refuse);
  const read: Operand['read'] = (item) => {
    const value = operand.read(item);
    const size = value === undefined ? undefined : sizeOf(value);
    return size === undefined ? undefined : { N: String(size) };
  };
  return { read, type: 'N' };
}
