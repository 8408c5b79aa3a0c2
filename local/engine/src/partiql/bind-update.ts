import { validationError } from '../errors.ts';
import { type Operand, requireDistinct, requirePath, requireTypes, wrongCountError } from '../expressions/operands.ts';
import { addPath, emptyTree } from '../expressions/path-tree.ts';
import { equalPaths, type Path, readPath } from '../expressions/path.ts';
import { addTo, deleteFrom, isSet, membersOf, wrongOperandError } from '../expressions/update-values.ts';
import type { Update } from '../expressions/update.ts';
import { hasPlaces, writeTree } from '../expressions/write-tree.ts';
import type { AttributeValue, Item } from '../values/attribute-value.ts';
import { addNumbers, subtractNumbers } from '../values/number.ts';
import type { Binding } from './bind.ts';
import type { Assignment, CallNode, Node, OperatorNode } from './syntax.ts';

/** Makes the new value of a path; undefined removes it. */
type Change = (item: Item) => AttributeValue | undefined;

const onlyNumbers: ReadonlySet<string> = new Set(['N']);
const onlyLists: ReadonlySet<string> = new Set(['L']);
const setFunctions: ReadonlySet<string> = new Set(['set_add', 'set_delete']);
const conditionFunctions: ReadonlySet<string> = new Set([
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
  'begins_with',
  'contains',
  'size',
]);

/**
 * Binds the assignments and removals of an UPDATE.
 *
 * @throws ValidationException if operands do not match. The returned function throws it if the item does not match.
 */
export function bindUpdate(assignments: readonly Assignment[], binding: Binding): Update {
  const tree = emptyTree<number>();
  const paths = assignments.map(({ path }) => path);
  for (const [at, path] of [...paths.entries()].toReversed()) addPath(tree, path, at, 'UpdateExpression');
  const changes = assignments.map(({ path, value }) => bindChange(path, value, binding));
  const isNested = paths.some((path) => path.length > 1);
  const apply = (item: Item) => {
    if (isNested && !hasPlaces(item, tree, () => false)) {
      throw validationError('The document path provided in the update expression is invalid for update');
    }
    const values = changes.map((change) => change(item));
    return writeTree(item, tree, values);
  };
  return { apply, paths, reads: binding.paths };
}

function bindChange(path: Path, value: Node | undefined, binding: Binding): Change {
  if (value === undefined) return () => undefined;
  if (value.type === 'call' && setFunctions.has(value.name)) return bindSetFunction(path, value, binding);
  const { read } = bindAssigned(value, binding);
  return (item) => {
    const found = read(item);
    if (found !== undefined) return found;
    throw validationError('The provided expression refers to an attribute that does not exist in the item');
  };
}

function bindSetFunction(path: Path, { name, operands, ...place }: CallNode, binding: Binding): Change {
  const [first, second] = operands;
  const shown = name.toUpperCase();
  if (first === undefined || second === undefined || operands.length !== 2) {
    throw binding.refuse(`${shown} must have exactly two arguments`, place);
  }
  if (first.type !== 'path' || !equalPaths(first.path, path)) {
    throw binding.refuse(`The first argument to ${shown} must equal the assignment value`, place);
  }
  const members = binding.constant(second);
  if (members === undefined || !isSet(members)) {
    throw binding.refuse(`The second argument to ${shown} must be a value with type SET`, first);
  }
  return (item) => {
    const old = readPath(item, path);
    if (old !== undefined && !isSet(old)) throw wrongOperandError();
    if (old === undefined && name === 'set_delete') return undefined;
    const changed = old === undefined || name === 'set_add' ? addTo(old, members) : deleteFrom(old, members);
    if (changed === undefined) throw wrongOperandError();
    return membersOf(changed).length === 0 ? undefined : changed;
  };
}

function bindAssigned(node: Node, binding: Binding): Operand {
  const operand = binding.operand(node);
  if (operand !== undefined) return operand;
  if (node.type === 'operator') return bindArithmetic(node, binding);
  if (node.type === 'call') return bindCall(node, binding);
  throw validationError('Unsupported operator in Update Expression. Operator: is');
}

function bindArithmetic({ operator, operands }: OperatorNode, binding: Binding): Operand {
  if (operator !== '+' && operator !== '-') {
    throw validationError(`Unsupported operator in Update Expression. Operator: ${operator}`);
  }
  const bound = operands.map((operand) => bindAssigned(operand, binding));
  const [left, right] = bound;
  if (left === undefined || right === undefined) throw wrongCountError(operator, bound.length, validationError);
  requireTypes(operator, onlyNumbers, bound, validationError);
  const calculate = operator === '+' ? addNumbers : subtractNumbers;
  const read: Operand['read'] = (item) => {
    const [one, other] = [left.read(item), right.read(item)];
    if (one === undefined || other === undefined) return undefined;
    if (!('N' in one) || !('N' in other)) throw wrongOperandError();
    return { N: calculate(one.N, other.N) };
  };
  return { read, type: 'N' };
}

function bindCall(node: CallNode, binding: Binding): Operand {
  const { name, operands } = node;
  if (conditionFunctions.has(name)) {
    throw validationError(`The function is not allowed in an update expression; function: ${name}`);
  }
  if (name !== 'list_append' && name !== 'if_not_exists') throw binding.refuse(`Unrecognized function: ${name}`, node);
  const bound = operands.map((operand) => bindAssigned(operand, binding));
  const [first, second] = bound;
  if (first === undefined || second === undefined || bound.length !== 2)
    throw wrongCountError(name, bound.length, validationError);
  if (name === 'list_append') {
    requireTypes(name, onlyLists, bound, validationError);
    return { read: (item) => joinLists(first.read(item), second.read(item)), type: 'L' };
  }
  requirePath(name, first, validationError);
  requireDistinct(name, bound, validationError);
  // DynamoDB evaluates the other operand in any case, so it must exist.
  const read: Operand['read'] = (item) => {
    const other = second.read(item);
    return other === undefined ? undefined : (first.read(item) ?? other);
  };
  return { read };
}

function joinLists(one: AttributeValue | undefined, other: AttributeValue | undefined): AttributeValue | undefined {
  if (one === undefined || other === undefined) return undefined;
  if (!('L' in one) || !('L' in other)) throw wrongOperandError();
  return { L: [...one.L, ...other.L] };
}
