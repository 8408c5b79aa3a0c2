import { invalid } from '../errors.ts';
import type { Test } from '../expressions/bind-condition.ts';
import { beginsWith, contains, holds, sizeOf } from '../expressions/value-tests.ts';
import { type AttributeValue, typeOf } from '../values/attribute-value.ts';
import { compareValues } from '../values/compare.ts';
import { type Binding, type Operand, wrongCount, wrongType } from './bind.ts';
import type { CallNode, Node, OperatorNode } from './syntax.ts';

const ordered: ReadonlySet<string> = new Set(['S', 'N', 'B']);
const texts: ReadonlySet<string> = new Set(['S', 'B']);
const sized: ReadonlySet<string> = new Set(['S', 'B', 'SS', 'NS', 'BS', 'L', 'M']);
const onlyText: ReadonlySet<string> = new Set(['S']);
const types = ['B', 'NULL', 'SS', 'BOOL', 'L', 'BS', 'N', 'NS', 'S', 'M'];
const mostMembers = 100;

/** Types that IS knows, and DynamoDB's names of them. */
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
 * @throws ValidationException when it is no condition, or operands do not fit.
 */
export function bindWhere(node: Node, binding: Binding): Test {
  const test = bindTest(node, binding);
  if (test !== undefined) return test;
  bindOperand(node, binding);
  throw invalid('WHERE clause must contain an expression that resolves to a boolean');
}

/** Binds what holds or does not; undefined for nodes that are values. */
function bindTest(node: Node, binding: Binding): Test | undefined {
  if (node.type === 'is') return bindIs(node, binding);
  if (node.type === 'operator') return bindOperator(node, binding);
  return node.type === 'call' && node.name !== 'size' ? bindCall(node, binding) : undefined;
}

function bindOperand(node: Node, binding: Binding): Operand {
  const operand = binding.operand(node);
  if (operand !== undefined) return operand;
  if (node.type === 'call' && node.name === 'size') return bindSize(node, binding);
  const test = bindTest(node, binding);
  if (test === undefined) throw binding.refuse('Unexpected path component', node);
  return { read: (item) => ({ BOOL: test(item) }), type: 'BOOL' };
}

function bindSize(node: CallNode, binding: Binding): Operand {
  const [operand] = bindOperands(node, 1, binding);
  binding.requireTypes('size', sized, [operand]);
  const read: Operand['read'] = (item) => {
    const value = operand.read(item);
    const size = value === undefined ? undefined : sizeOf(value);
    return size === undefined ? undefined : { N: String(size) };
  };
  return { read, type: 'N' };
}

function bindOperands({ name, operands }: CallNode, count: number, binding: Binding): readonly [Operand, Operand] {
  if (operands.length !== count) throw wrongCount(name, operands.length);
  return operands.map((operand) => bindOperand(operand, binding)) as unknown as readonly [Operand, Operand];
}

function bindIs({ operand: node, typeName, ...place }: Node & { type: 'is' }, binding: Binding): Test {
  const operand = binding.operand(node);
  if (operand === undefined) {
    throw invalid('The left hand side argument to IS must be a Variable Reference, Literal, or Path');
  }
  if (typeName === 'MISSING') {
    if (operand.path !== undefined) return (item) => operand.read(item) === undefined;
    throw invalid('Operator or function requires a document path; operator or function: attribute_not_exists');
  }
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

function isOfType(value: AttributeValue | undefined, type: string): boolean {
  return value !== undefined && typeOf(value) === type;
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
      if (inner === undefined) throw invalid('The argument to NOT must be a Type or Expression');
      return (item) => !inner(item);
    }
    case 'between':
      return bindBetween(node, binding);
    case 'in':
      return bindIn(node, binding);
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const { operator } = node;
      const operands = node.operands.map((operand) => bindOperand(operand, binding));
      if (operator !== '=' && operator !== '<>') binding.requireTypes(operator, ordered, operands);
      binding.requireDistinct(operator, operands);
      const [left, right] = operands as [Operand, Operand];
      return (item) => holds(operator, left.read(item), right.read(item));
    }
    default:
      throw invalid(`Unsupported operator in Condition Expression. Operator: ${node.operator}`);
  }
}

function bindJoined(operator: string, node: Node, binding: Binding): Test {
  const test = bindTest(node, binding);
  if (test !== undefined) return test;
  const { path, constant } = bindOperand(node, binding);
  if (path !== undefined || constant !== undefined) throw invalid('The arguments to AND/OR must be Expressions');
  throw wrongType(operator.toUpperCase(), 'N');
}

function bindBetween(node: OperatorNode, binding: Binding): Test {
  const operands = node.operands.map((operand) => bindOperand(operand, binding));
  binding.requireTypes('BETWEEN', ordered, operands);
  binding.requireDistinct('BETWEEN', operands);
  const [value, lower, upper] = operands as [Operand, Operand, Operand];
  requireBounds(lower.constant, upper.constant);
  return (item) => {
    const found = value.read(item);
    return holds('>=', found, lower.read(item)) && holds('<=', found, upper.read(item));
  };
}

function requireBounds(lower: AttributeValue | undefined, upper: AttributeValue | undefined): void {
  if (lower === undefined || upper === undefined) return;
  const order = compareValues(lower, upper);
  if (order !== undefined && order <= 0) return;
  const rule =
    order === undefined
      ? 'same data type for lower and upper bounds'
      : 'upper bound to be greater than or equal to lower bound';
  throw invalid(
    `The BETWEEN operator requires ${rule}; lower bound operand: AttributeValue: ${printBound(lower)}, ` +
      `upper bound operand: AttributeValue: ${printBound(upper)}`,
  );
}

/** A bound as AWS shows it: of binary values, only the length. */
function printBound(value: AttributeValue): string {
  if ('S' in value) return `{S:${value.S}}`;
  if ('N' in value) return `{N:${value.N}}`;
  const length = sizeOf(value);
  return `{B:java.nio.HeapByteBuffer[pos=0 lim=${length} cap=${length}]}`;
}

function bindIn({ operands: [left, right] }: OperatorNode, binding: Binding): Test {
  if (right?.type !== 'list' || right.members.length === 0 || left === undefined) {
    throw invalid(
      'IN operator must have a left hand argument of type Variable Reference and right hand argument of type Seq ' +
        'with at least one member',
    );
  }
  if (right.members.length > mostMembers) {
    throw invalid(`The IN operator is provided with too many operands; number of operands: ${right.members.length}`);
  }
  const value = bindOperand(left, binding);
  const members = right.members.map((member) => bindOperand(member, binding));
  binding.requireDistinct('IN', [value, ...members]);
  return (item) => {
    const found = value.read(item);
    return found !== undefined && members.some((member) => holds('=', found, member.read(item)));
  };
}

function bindCall(node: CallNode, binding: Binding): Test {
  switch (node.name) {
    case 'attribute_exists':
    case 'attribute_not_exists': {
      const [operand] = bindOperands(node, 1, binding);
      if (operand.path === undefined) {
        throw invalid(`Operator or function requires a document path; operator or function: ${node.name}`);
      }
      const exists = node.name === 'attribute_exists';
      return (item) => (operand.read(item) !== undefined) === exists;
    }
    case 'attribute_type':
      return bindAttributeType(node, binding);
    case 'begins_with':
    case 'contains': {
      const [value, part] = bindOperands(node, 2, binding);
      if (node.name === 'begins_with') binding.requireTypes(node.name, texts, [value, part]);
      binding.requireDistinct(node.name, [value, part]);
      const test = node.name === 'begins_with' ? beginsWith : contains;
      return (item) => {
        const [whole, wanted] = [value.read(item), part.read(item)];
        return whole !== undefined && wanted !== undefined && test(whole, wanted);
      };
    }
    default:
      if (updateFunctions.has(node.name)) {
        throw invalid(`The function is not allowed in a condition expression; function: ${node.name}`);
      }
      for (const operand of node.operands) if (operand.type === 'select') binding.operand(operand);
      throw binding.refuse(`Unrecognized function: ${node.name}`, node);
  }
}

function bindAttributeType(node: CallNode, binding: Binding): Test {
  const [value, type] = bindOperands(node, 2, binding);
  binding.requireTypes(node.name, onlyText, [type]);
  binding.requireDistinct(node.name, [value, type]);
  if (type.constant === undefined || !('S' in type.constant))
    throw wrongType(node.name, '{NS,SS,L,BS,N,M,B,BOOL,NULL,S}');
  const wanted = type.constant.S;
  if (!types.includes(wanted)) {
    throw invalid(`Invalid attribute type name found; type: ${wanted}, valid types: {${types.join(',')}}`);
  }
  return (item) => isOfType(value.read(item), wanted);
}
