import { parseList, parseOperand, parsePath } from './parse-operand.ts';
import type { ActionNode, AssignedNode, OperandNode, Section, UpdateNode } from './syntax.ts';
import type { TokenReader } from './token-reader.ts';

/**
 * Parses an update: sections in any order.
 *
 * @throws ValidationException if the text is not an update.
 */
export function parseUpdate(tokens: TokenReader): UpdateNode {
  const actions: ActionNode[] = [];
  const sections: Section[] = [];
  do {
    const section = parseSection(tokens);
    sections.push(section);
    actions.push(...parseList(tokens, () => parseAction(tokens, section)));
  } while (tokens.next.type !== 'end');
  return { actions, sections };
}

function parseSection(tokens: TokenReader): Section {
  const { type } = tokens.next;
  if (type !== 'SET' && type !== 'REMOVE' && type !== 'ADD' && type !== 'DELETE') throw tokens.syntaxError();
  tokens.skip();
  return type;
}

function parseAction(tokens: TokenReader, section: Section): ActionNode {
  const path = parsePath(tokens);
  if (section === 'REMOVE') return { section, path };
  if (section !== 'SET') return { section, path, value: { type: 'value', name: tokens.expect('value').text } };
  tokens.expect('=');
  return { section, path, value: parseAssigned(tokens) };
}

function parseAssigned(tokens: TokenReader): AssignedNode {
  if (tokens.next.type !== '(') return parseArithmetic(tokens, parseOperand(tokens));
  const grouped = tokens.group(parseAssigned);
  return grouped.type === 'arithmetic' ? grouped : parseArithmetic(tokens, grouped);
}

function parseArithmetic(tokens: TokenReader, left: OperandNode): AssignedNode {
  const { type } = tokens.next;
  if (type !== '+' && type !== '-') return left;
  tokens.skip();
  return { type: 'arithmetic', operator: type, operands: [left, parseOperand(tokens)] };
}
