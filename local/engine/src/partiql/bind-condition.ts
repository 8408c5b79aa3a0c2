import { validationError } from '../errors.ts';
import { type Operand, wrongCountError, wrongTypeError } from '../expressions/operands.ts';
import {
  bindAttributeType,
  bindBetween,
  bindComparison,
  bindIn,
  bindPart,
  bindPresence,
  bindSize,
  isOfType,
  type Test,
} from '../expressions/operators.ts';
import type { Binding } from './bind.ts';
import type { CallNode, Node, OperatorNode } from './syntax.ts';

/** The type names after IS, and DynamoDB's names of them. */
const typesOfNames: ReadonlyMap<string, string> = new Map([
  ['NULL', 'NULL'],
  ['BOOLEAN', 'BOOL'],
  ['BLOB', 'B'],
  ['STRING', 'S'],
  ['NUMERIC', 'N'],
  ['STRUCT', 'M'],
  ['TUPLE', 'M'],
  ['LIST', 'L'],
]);

const updateFunctions: ReadonlySet<string> = new Set(['if_not_exists', 'list_append']);

/**
 * Binds the condition of a WHERE clause.
 *
 * @throws ValidationException if it is not a condition, or operands do not match.
 */
export function bindWhere(node: Node, binding: Binding): Test {
  const test = bindTest(node, binding);
  if (test !== undefined) return test;
  bindOperand(node, binding);
  throw validationError('WHERE clause must contain an expression that resolves to a boolean');
}

/** Binds a boolean node; undefined for a value. */
function bindTest(node: Node, binding: Binding): Test | undefined {
  if (node.type === 'is') return bindIs(node, binding);
  if (node.type === 'operator') return bindOperator(node, binding);
  return node.type === 'call' && node.name !== 'size' ? bindCall(node, binding) : undefined;
}

function bindOperand(node: Node, binding: Binding): Operand {
  const operand = binding.operand(node);
  if (operand !== undefined) return operand;
  if (node.type === 'call' && node.name === 'size') return bindSize(bindOperands(node, 1, binding)[0], validationError);
  const test = bindTest(node, binding);
  if (test === undefined) throw binding.refuse('Unexpected path component', node);
  return { read: (item) => ({ BOOL: test(item) }), type: 'BOOL' };
}

function bindOperands({ name, operands }: CallNode, count: number, binding: Binding): readonly [Operand, Operand] {
  if (operands.length !== count) throw wrongCountError(name, operands.length, validationError);
  return bindAll(operands, binding) as unknown as readonly [Operand, Operand];
}

const bindAll = (nodes: readonly Node[], binding: Binding) => nodes.map((node) => bindOperand(node, binding));

function bindIs({ operand: node, typeName, ...place }: Node & { type: 'is' }, binding: Binding): Test {
  const operand = binding.operand(node);
  if (operand === undefined) {
    throw validationError('The left hand side argument to IS must be a Variable Reference, Literal, or Path');
  }
  if (typeName === 'MISSING') return bindPresence('attribute_not_exists', operand, validationError);
  const wanted = typesOfNames.get(typeName);
  if (wanted === undefined) {
    throw binding.refuse(
      `Unsupported data type for IS operator: ${typeName}. Supported data types are ` +
        '[MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST]',
      place,
    );
  }
  return (item) => isOfType(operand.read(item), wanted);
}

function bindOperator(node: OperatorNode, binding: Binding): Test {
  switch (node.operator) {
    case 'and':
    case 'or': {
      const [left, right] = node.operands.map((operand) => bindJoined(node.operator, operand, binding)) as [Test, Test];
      if (node.operator === 'and') return (item) => left(item) && right(item);
      return (item) => left(item) || right(item);
    }
    case 'not': {
      const inner = bindTest(node.operands[0] as Node, binding);
      if (inner === undefined) throw validationError('The argument to NOT must be a Type or Expression');
      return (item) => !inner(item);
    }
    case 'between':
      return bindBetween(bindAll(node.operands, binding) as [Operand, Operand, Operand], validationError);
    case 'in':
      return bindMembership(node, binding);
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return bindComparison(node.operator, bindAll(node.operands, binding) as [Operand, Operand], validationError);
    default:
      throw validationError(`Unsupported operator in Condition Expression. Operator: ${node.operator}`);
  }
}

function bindJoined(operator: string, node: Node, binding: Binding): Test {
  const test = bindTest(node, binding);
  if (test !== undefined) return test;
  const { path, constant } = bindOperand(node, binding);
  if (path !== undefined || constant !== undefined)
    throw validationError('The arguments to AND/OR must be Expressions');
  throw wrongTypeError(operator.toUpperCase(), 'N', validationError);
}

function bindMembership({ operands: [left, right] }: OperatorNode, binding: Binding): Test {
  if (right?.type !== 'list' || right.members.length === 0 || left === undefined) {
    throw validationError(
      'IN operator must have a left hand argument of type Variable Reference and right hand argument of type Seq ' +
        'with at least one member',
    );
  }
  return bindIn(bindOperand(left, binding), bindAll(right.members, binding), validationError);
}

function bindCall(node: CallNode, binding: Binding): Test {
  switch (node.name) {
    case 'attribute_exists':
    case 'attribute_not_exists':
      return bindPresence(node.name, bindOperands(node, 1, binding)[0], validationError);
    case 'attribute_type':
      return bindAttributeType(bindOperands(node, 2, binding), validationError);
    case 'begins_with':
    case 'contains':
      return bindPart(node.name, bindOperands(node, 2, binding), validationError);
    default:
      if (updateFunctions.has(node.name)) {
        throw validationError(`The function is not allowed in a condition expression; function: ${node.name}`);
      }
      for (const operand of node.operands) if (operand.type === 'select') binding.operand(operand);
      throw binding.refuse(`Unrecognized function: ${node.name}`, node);
  }
}
