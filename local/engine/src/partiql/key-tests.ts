import { type EngineError, validationError } from '../errors.ts';
import type { AttributeValue } from '../values/attribute-value.ts';
import { emptyKeyError, measureKeyValue, type KeyAttribute } from '../values/key.ts';
import type { Binding } from './bind.ts';
import type { Node, OperatorNode } from './syntax.ts';

/** A comparison of a key attribute with values of the statement. */
export interface KeyTest {
  readonly operator: '=' | '<>' | '<' | '<=' | '>' | '>=' | 'BETWEEN' | 'begins_with' | 'IN';
  readonly values: readonly AttributeValue[];
}

/** A comparison operator with its operands swapped. */
const mirrored = { '=': '=', '<>': '<>', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

/** The test of the named attribute in a node; undefined for other nodes. */
export function keyTestOf(node: Node, name: string, binding: Binding): KeyTest | undefined {
  if (node.type === 'call' && node.name === 'begins_with') {
    return testOf('begins_with', node.operands, name, binding);
  }
  if (node.type !== 'operator') return undefined;
  const [left, right] = node.operands;
  switch (node.operator) {
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const { operator } = node;
      return (
        testOf(operator, node.operands, name, binding) ??
        testOf(mirrored[operator], node.operands.toReversed(), name, binding)
      );
    }
    case 'between':
      return testOf('BETWEEN', node.operands, name, binding);
    case 'in':
      if (left === undefined || right?.type !== 'list') return undefined;
      return testOf('IN', [left, ...right.members], name, binding);
    default:
      return undefined;
  }
}

function testOf(
  operator: KeyTest['operator'],
  [first, ...others]: readonly Node[],
  name: string,
  binding: Binding,
): KeyTest | undefined {
  if (first?.type !== 'path' || first.path.length !== 1 || first.path[0] !== name) return undefined;
  const values = others.map((node) => binding.constant(node));
  return values.every((value) => value !== undefined) ? { operator, values } : undefined;
}

/** The operands of a joining node, at any depth. */
export function listJoined(node: Node, operator: 'and' | 'or'): readonly Node[] {
  if (node.type !== 'operator' || node.operator !== operator) return [node];
  return node.operands.flatMap((operand) => listJoined(operand, operator));
}

/** The leaves of a condition: all nodes but AND and OR. */
export function listTests(node: Node): readonly Node[] {
  if (!isJoining(node)) return [node];
  return node.operands.flatMap(listTests);
}

function isJoining(node: Node): node is OperatorNode {
  return node.type === 'operator' && ['and', 'or', 'not'].includes(node.operator);
}

/**
 * Checks a value for a key attribute.
 *
 * @throws ValidationException if it has another type, or is empty.
 */
export function requireKeyValue({ name, type }: KeyAttribute, value: AttributeValue): void {
  if (!Object.hasOwn(value, type)) throw wrongKeyTypeError(name);
  if (measureKeyValue(value) > 0) return;
  throw emptyKeyError({ name, type });
}

function wrongKeyTypeError(name: string): EngineError {
  return validationError(`Key attribute's data type should match its data type in table's schema: Key ${name}`);
}
