import { reservedWords } from './reserved-words.ts';
import type {
  AssignedNode,
  CallNode,
  ConditionNode,
  ExpressionKind,
  OperandNode,
  PathNode,
  UpdateNode,
} from './syntax.ts';
import { invalidExpressionError } from './token-reader.ts';

/**
 * Errors of an expression that do not depend on its names and values: unknown or misplaced functions, reserved words,
 * too large indexes. The first error in the text is reported.
 */

const maxIndex = 2 ** 31 - 1;

const conditions: ReadonlySet<string> = new Set([
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
  'begins_with',
  'contains',
]);

const updates: ReadonlySet<string> = new Set(['if_not_exists', 'list_append']);

/** @throws ValidationException for the first error of a condition. */
export function checkCondition(kind: ExpressionKind, node: ConditionNode): void {
  switch (node.type) {
    case 'AND':
    case 'OR':
      checkCondition(kind, node.left);
      checkCondition(kind, node.right);
      return;
    case 'NOT':
      checkCondition(kind, node.inner);
      return;
    case 'call':
      checkCall(kind, node, (name) => conditions.has(name), isSize);
      return;
    default:
      for (const operand of node.operands) checkOperand(kind, operand, isSize, isSize);
  }
}

const isSize = (name: string) => name === 'size';

/** @throws ValidationException for the first error of an update. */
export function checkUpdate({ actions, sections }: UpdateNode): void {
  for (const action of actions) {
    checkPath('UpdateExpression', action.path);
    if (action.section === 'SET') checkAssigned(action.value);
  }
  const twice = sections.find((section, i) => sections.indexOf(section) < i);
  if (twice !== undefined) {
    throw invalidExpressionError(
      'UpdateExpression',
      `The "${twice}" section can only be used once in an update expression;`,
    );
  }
}

function checkAssigned(node: AssignedNode): void {
  if (node.type === 'arithmetic') {
    for (const operand of node.operands) checkOperand('UpdateExpression', operand, isDefault, isDefault);
  } else {
    checkOperand('UpdateExpression', node, (name) => updates.has(name), isDefault);
  }
}

const isDefault = (name: string) => name === 'if_not_exists';

/** @throws ValidationException for the first error of a path. */
export function checkPath(kind: ExpressionKind, { steps }: PathNode): void {
  for (const step of steps) {
    if (step.type === 'name' && reservedWords.has(step.name.toUpperCase())) {
      throw invalidExpressionError(kind, `Attribute name is a reserved keyword; reserved keyword: ${step.name}`);
    }
    if (step.type === 'index' && step.index > maxIndex) {
      throw invalidExpressionError(kind, `List index is not within the allowable range; index: [${step.text}]`);
    }
  }
}

type IsAllowed = (functionName: string) => boolean;

function checkOperand(kind: ExpressionKind, node: OperandNode, isAllowed: IsAllowed, isAllowedInside: IsAllowed): void {
  if (node.type === 'path') checkPath(kind, node);
  if (node.type === 'call') checkCall(kind, node, isAllowed, isAllowedInside);
}

function checkCall(kind: ExpressionKind, node: CallNode, isAllowed: IsAllowed, isAllowedInside: IsAllowed): void {
  const { name, operands } = node;
  const isOfConditions = isSize(name) || conditions.has(name);
  if (!isOfConditions && !updates.has(name)) {
    throw invalidExpressionError(kind, `Invalid function name; function: ${name}`);
  }
  if (isOfConditions === (kind === 'UpdateExpression')) {
    const where = isOfConditions ? 'an update' : 'a condition';
    throw invalidExpressionError(kind, `The function is not allowed in ${where} expression; function: ${name}`);
  }
  if (!isAllowed(name)) {
    throw invalidExpressionError(
      kind,
      `The function is not allowed to be used this way in an expression; function: ${name}`,
    );
  }
  for (const operand of operands) checkOperand(kind, operand, isAllowedInside, isAllowedInside);
}
