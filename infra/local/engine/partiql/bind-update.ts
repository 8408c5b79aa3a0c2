import { invalid } from '../errors.ts';
import { type Operand, requireDistinct, requirePath, requireTypes, wrongCount } from '../expressions/operands.ts';
import { addPath, emptyTree } from '../expressions/path-tree.ts';
import { equalPaths, type Path, readPath } from '../expressions/path.ts';
import { addTo, deleteFrom, isSet, membersOf, wrongOperand } from '../expressions/update-values.ts';
import type { Update } from '../expressions/update.ts';
import { hasPlaces, writeTree } from '../expressions/write-tree.ts';
import type { AttributeValue, Item } from '../values/attribute-value.ts';
import { addNumbers, subtractNumbers } from '../values/number.ts';
import type { Binding } from './bind.ts';
import type { Assignment, CallNode, Node, OperatorNode } from './syntax.ts';

/** Makes the new value of a path; undefined when it is to be removed. */
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
 * Binds what an UPDATE assigns and removes.
 *
 * @throws ValidationException when operands do not fit; what it returns throws one when the item does not fit.
 */
export function bindUpdate(assignments: readonly Assignment[], binding: Binding): Update {
  const tree = emptyTree<number>();
  const paths = assignments.map(({ path }) => path);
  for (const [at, path] of [...paths.entries()].toReversed()) addPath(tree, path, at, 'UpdateExpression');
  const changes = assignments.map(({ path, value }) => bindChange(path, value, binding));
  const isNested = paths.some((path) => path.length > 1);
  const apply = (item: Item) => {
    if (isNested && !hasPlaces(item, tree, () => false)) {
      throw invalid('The document path provided in the update expression is invalid for update');
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
    throw invalid('The provided expression refers to an attribute that does not exist in the item');
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
    if (old !== undefined && !isSet(old)) throw wrongOperand();
    if (old === undefined && name === 'set_delete') return undefined;
    const changed = old === undefined || name === 'set_add' ? addTo(old, members) : deleteFrom(old, members);
    if (changed === undefined) throw wrongOperand();
    return membersOf(changed).length === 0 ? undefined : changed;
  };
}

function bindAssigned(node: Node, binding: Binding): Operand {
  const operand = binding.operand(node);
  if (operand !== undefined) return operand;
  if (node.type === 'operator') return bindArithmetic(node, binding);
  if (node.type === 'call') return bindCall(node, binding);
  throw invalid('Unsupported operator in Update Expression. Operator: is');
}

function bindArithmetic({ operator, operands }: OperatorNode, binding: Binding): Operand {
  if (operator !== '+' && operator !== '-') {
    throw invalid(`Unsupported operator in Update Expression. Operator: ${operator}`);
  }
  const bound = operands.map((operand) => bindAssigned(operand, binding));
  const [left, right] = bound;
  if (left === undefined || right === undefined) throw wrongCount(operator, bound.length, invalid);
  requireTypes(operator, onlyNumbers, bound, invalid);
  const calculate = operator === '+' ? addNumbers : subtractNumbers;
  const read: Operand['read'] = (item) => {
    const [one, other] = [left.read(item), right.read(item)];
    if (one === undefined || other === undefined) return undefined;
    if (!('N' in one) || !('N' in other)) throw wrongOperand();
    return { N: calculate(one.N, other.N) };
  };
  return { read, type: 'N' };
}

function bindCall(node: CallNode, binding: Binding): Operand {
  const { name, operands } = node;
  if (conditionFunctions.has(name)) {
    throw invalid(`The function is not allowed in an update expression; function: ${name}`);
  }
  if (name !== 'list_append' && name !== 'if_not_exists') throw binding.refuse(`Unrecognized function: ${name}`, node);
  const bound = operands.map((operand) => bindAssigned(operand, binding));
  const [first, second] = bound;
  if (first === undefined || second === undefined || bound.length !== 2) throw wrongCount(name, bound.length, invalid);
  if (name === 'list_append') {
    requireTypes(name, onlyLists, bound, invalid);
    return { read: (item) => joinLists(first.read(item), second.read(item)), type: 'L' };
  }
  requirePath(name, first, invalid);
  requireDistinct(name, bound, invalid);
  // DynamoDB reads the other operand in any case: it must be there.
  const read: Operand['read'] = (item) => {
    const other = second.read(item);
    return other === undefined ? undefined : (first.read(item) ?? other);
  };
  return { read };
}

function joinLists(one: AttributeValue | undefined, other: AttributeValue | undefined): AttributeValue | undefined {
  if (one === undefined || other === undefined) return undefined;
  if (!('L' in one) || !('L' in other)) throw wrongOperand();
  return { L: [...one.L, ...other.L] };
}
