import { validationError } from '../errors.ts';
import type { AttributeValue } from '../values/attribute-value.ts';
import { ConditionBinder } from './bind-condition.ts';
import { bindPath, bindValue } from './bind.ts';
import type { Bindings } from './bindings.ts';
import {
  type KeyAttributes,
  type KeyCondition,
  type KeyOperator,
  type KeyTerm,
  matchTerms,
  requireTermCount,
} from './key-terms.ts';
import { parseCondition } from './parse.ts';
import type { ConditionNode, OperandNode } from './syntax.ts';

export type { KeyAttributes, KeyCondition } from './key-terms.ts';

const kind = 'KeyConditionExpression';

/**
 * Compiles a KeyConditionExpression.
 *
 * @throws ValidationException if it is invalid, or does not match the key.
 */
export function compileKeyCondition(text: string, bindings: Bindings, keys: KeyAttributes): KeyCondition {
  return matchTerms(readKeyTerms(text, bindings), keys);
}

/**
 * Parses a KeyConditionExpression, with all checks that do not need the table.
 *
 * @throws ValidationException if it is invalid for every key.
 */
export function readKeyTerms(text: string, bindings: Bindings): readonly KeyTerm[] {
  return listKeyTerms(checkKeyCondition(text, bindings), bindings);
}

/**
 * Parses a KeyConditionExpression and checks the rules of all conditions.
 *
 * @throws ValidationException if it is invalid.
 */
export function checkKeyCondition(text: string, bindings: Bindings): ConditionNode {
  const node = parseCondition(text, kind);
  new ConditionBinder(kind, bindings).bind(node);
  return node;
}

/**
 * Lists the terms of a condition.
 *
 * @param most - how many are allowed; two by default.
 * @throws ValidationException if it is not a condition on keys.
 */
export function listKeyTerms(node: ConditionNode, bindings: Bindings, most?: number): readonly KeyTerm[] {
  const terms = new Map<string, KeyTerm>();
  addTerms(terms, node, bindings);
  const list = [...terms.values()];
  requireTermCount(list.length, most);
  return list;
}

function addTerms(terms: Map<string, KeyTerm>, node: ConditionNode, bindings: Bindings): void {
  if (node.type === 'AND') {
    addTerms(terms, node.left, bindings);
    addTerms(terms, node.right, bindings);
    return;
  }
  const term = readTerm(node, bindings);
  if (terms.has(term.name)) throw validationError('KeyConditionExpressions must only contain one condition per key');
  terms.set(term.name, term);
}

function readTerm(node: ConditionNode, bindings: Bindings): KeyTerm {
  switch (node.type) {
    case 'comparison':
      if (node.operator === '<>') throw invalidOperator('<>');
      return readComparison(node.operator, node.operands, bindings);
    case 'BETWEEN':
      return readLeading('BETWEEN', node.operands, bindings);
    case 'call':
      if (node.name !== 'begins_with') throw invalidOperator(node.name);
      return readLeading('begins_with', node.operands, bindings);
    default:
      throw invalidOperator(node.type);
  }
}

const mirrored = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

function readComparison(
  operator: keyof typeof mirrored,
  operands: readonly OperandNode[],
  bindings: Bindings,
): KeyTerm {
  const { name, values } = readOperands(operands, bindings);
  return { name, operator: operands[0]?.type === 'path' ? operator : mirrored[operator], values };
}

function readLeading(operator: KeyOperator, operands: readonly OperandNode[], bindings: Bindings): KeyTerm {
  if (operands[0]?.type === 'value') {
    throw validationError(
      `Invalid condition in KeyConditionExpression: ${operator} operator must have the key attribute as its first operand`,
    );
  }
  return { operator, ...readOperands(operands, bindings) };
}

function readOperands(
  operands: readonly OperandNode[],
  bindings: Bindings,
): { name: string; values: readonly AttributeValue[] } {
  let name: string | undefined;
  const values: AttributeValue[] = [];
  for (const operand of operands) {
    if (operand.type === 'call') throw validationError('KeyConditionExpressions cannot contain nested operations');
    if (operand.type === 'value') {
      values.push(bindValue(kind, operand, bindings));
      continue;
    }
    if (name !== undefined) {
      throw validationError(
        'Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition',
      );
    }
    const path = bindPath(kind, operand, bindings);
    if (path.length > 1) throw validationError('KeyConditionExpressions cannot have conditions on nested attributes');
    name = path[0] as string;
  }
  if (name === undefined)
    throw validationError('Invalid condition in KeyConditionExpression: No key attribute specified');
  return { name, values };
}

const invalidOperator = (operator: string) =>
  validationError(`Invalid operator used in KeyConditionExpression: ${operator}`);
