import { parseBareOperand, parseList, parseOperand } from './parse-operand.ts';
import type { Comparator, ConditionNode, OperandNode } from './syntax.ts';
import type { TokenReader } from './token-reader.ts';

const comparators: ReadonlySet<string> = new Set<Comparator>(['=', '<>', '<', '<=', '>', '>=']);

/**
 * Parses a condition. Precedence from lowest to highest: OR, AND, NOT, comparisons.
 *
 * @throws ValidationException if the text is not a condition.
 */
export function parseCondition(tokens: TokenReader): ConditionNode {
  const condition = requireCondition(tokens, parseOr(tokens));
  tokens.expect('end');
  return condition;
}

/** The content of parentheses: only the next token shows whether it is an operand or a condition. */
type Term = ConditionNode | OperandNode;

function parseOr(tokens: TokenReader): Term {
  let left = parseAnd(tokens);
  while (tokens.next.type === 'OR') {
    const condition = requireCondition(tokens, left);
    tokens.skip();
    left = { type: 'OR', left: condition, right: requireCondition(tokens, parseAnd(tokens)) };
  }
  return left;
}

function parseAnd(tokens: TokenReader): Term {
  let left = parseNot(tokens);
  while (tokens.next.type === 'AND') {
    const condition = requireCondition(tokens, left);
    tokens.skip();
    left = { type: 'AND', left: condition, right: requireCondition(tokens, parseNot(tokens)) };
  }
  return left;
}

function parseNot(tokens: TokenReader): Term {
  let negations = 0;
  while (tokens.accept('NOT')) negations += 1;
  if (negations === 0) return parseTerm(tokens);
  let condition = requireCondition(tokens, parseTerm(tokens));
  for (; negations > 0; negations -= 1) condition = { type: 'NOT', inner: condition };
  return condition;
}

function parseTerm(tokens: TokenReader): Term {
  const first = tokens.next.type === '(' ? tokens.group(parseOr) : parseBareOperand(tokens);
  return isOperand(first) ? parseComparison(tokens, first) : first;
}

/** Parses the operator after an operand, if there is one. */
function parseComparison(tokens: TokenReader, first: OperandNode): Term {
  if (tokens.accept('BETWEEN')) {
    const lower = parseOperand(tokens);
    tokens.expect('AND');
    return { type: 'BETWEEN', operands: [first, lower, parseOperand(tokens)] };
  }
  if (tokens.accept('IN')) {
    tokens.expect('(');
    const list = parseList(tokens, parseOperand);
    tokens.expect(')');
    return { type: 'IN', operands: [first, ...list] };
  }
  if (!comparators.has(tokens.next.type)) return first;
  const operator = tokens.skip().type as Comparator;
  return { type: 'comparison', operator, operands: [first, parseOperand(tokens)] };
}

function isOperand(term: Term): term is OperandNode {
  return term.type === 'path' || term.type === 'value' || term.type === 'call';
}

/** A path or a value alone is not a condition; the error points at the token after it. */
function requireCondition(tokens: TokenReader, term: Term): ConditionNode {
  if (term.type === 'path' || term.type === 'value') throw tokens.syntaxError();
  return term;
}
