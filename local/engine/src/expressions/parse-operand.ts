import type { CallNode, OperandNode, PathNode, StepNode } from './syntax.ts';
import type { TokenReader } from './token-reader.ts';

/** AWS's message for an expression with more than 300 operators; it stops counting there. */
export const tooManyOperators = 'The expression contains too many operators; operator count: 301';

/**
 * Parses a path, a value or a function, with or without parentheses.
 *
 * @throws ValidationException if there is none.
 */
export function parseOperand(tokens: TokenReader): OperandNode {
  return tokens.next.type === '(' ? tokens.group(parseOperand) : parseBareOperand(tokens);
}

/** Parses a path, a value or a function without parentheses. */
export function parseBareOperand(tokens: TokenReader): OperandNode {
  const { type } = tokens.next;
  if (type === 'value') return { type: 'value', name: tokens.skip().text };
  if (type === 'name' && tokens.isFollowedBy('(')) return parseCall(tokens);
  return parsePath(tokens);
}

function parseCall(tokens: TokenReader): CallNode {
  const name = tokens.skip().text;
  tokens.expect('(');
  const operands = tokens.nest(parseOperands, tooManyOperators);
  tokens.expect(')');
  return { type: 'call', name, operands };
}

const parseOperands = (tokens: TokenReader) => parseList(tokens, parseOperand);

/** Parses one or more members, separated by commas. */
export function parseList<T>(tokens: TokenReader, parseMember: (tokens: TokenReader) => T): readonly T[] {
  const members = [parseMember(tokens)];
  while (tokens.accept(',')) members.push(parseMember(tokens));
  return members;
}

/**
 * Parses a document path.
 *
 * @throws ValidationException if there is none.
 */
export function parsePath(tokens: TokenReader): PathNode {
  const steps = [parseName(tokens)];
  for (;;) {
    if (tokens.accept('.')) {
      steps.push(parseName(tokens));
    } else if (tokens.accept('[')) {
      const { text } = tokens.expect('integer');
      steps.push({ type: 'index', index: Number(text), text });
      tokens.expect(']');
    } else {
      return { type: 'path', steps };
    }
  }
}

function parseName(tokens: TokenReader): StepNode {
  if (tokens.next.type === 'alias') return { type: 'alias', alias: tokens.skip().text };
  return { type: 'name', name: tokens.expect('name').text };
}
