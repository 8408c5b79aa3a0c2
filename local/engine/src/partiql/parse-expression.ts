import type { Cursor } from './cursor.ts';
import { notWellFormedError, type Span } from './errors.ts';
import { comparators, infixKeywords, isOperator, levels } from './operators.ts';
import { parsePath } from './parse-path.ts';
import type { Node, Operator } from './syntax.ts';
import { readTypeName } from './type-names.ts';

/** Parses a SELECT within an expression. */
export type ParseSelect = (cursor: Cursor) => Node;

/** Parses expressions: conditions, values, paths and calls. */
export class ExpressionParser {
  readonly #cursor: Cursor;
  readonly #parseSelect: ParseSelect;

  constructor(cursor: Cursor, parseSelect: ParseSelect) {
    this.#cursor = cursor;
    this.#parseSelect = parseSelect;
  }

  /** @throws ValidationException if there is no expression. */
  parse(): Node {
    return this.#cursor.nest(() => this.#parseJoined('or', () => this.#parseJoined('and', () => this.#parseNot())));
  }

  #parseJoined(operator: 'or' | 'and', parseOperand: () => Node): Node {
    let left = parseOperand();
    while (this.#cursor.isKeyword(operator)) {
      const place = this.#cursor.take();
      this.#requireOperand();
      left = operatorNode(operator, [left, parseOperand()], place);
    }
    return left;
  }

  #parseNot(): Node {
    if (!this.#cursor.isKeyword('not')) return this.#parseComparison();
    const place = this.#cursor.take();
    return operatorNode('not', [this.#cursor.nest(() => this.#parseNot())], place);
  }

  #parseComparison(): Node {
    const cursor = this.#cursor;
    let left = this.#parseLevel(0);
    for (;;) {
      const place = cursor.next;
      const comparator = place.type === 'symbol' ? comparators.get(place.text) : undefined;
      const isNegated = cursor.isKeyword('not') && ['between', 'in', 'like'].includes(cursor.peek(1).text);
      if (comparator !== undefined) {
        cursor.take();
        this.#requireOperand();
        left = operatorNode(comparator, [left, this.#parseLevel(0)], place);
      } else if (cursor.isKeyword('is')) {
        left = this.#parseIs(left);
      } else if (isNegated || cursor.isKeyword('between', 'in', 'like')) {
        if (isNegated) cursor.take();
        const test = this.#parseRange(left);
        left = isNegated ? operatorNode('not', [test], place) : test;
      } else {
        return left;
      }
    }
  }

  #parseIs(operand: Node): Node {
    const place = this.#cursor.take();
    const isNegated = this.#cursor.takeKeyword('not');
    const test: Node = { type: 'is', operand, typeName: readTypeName(this.#cursor), ...spanOf(place) };
    return isNegated ? operatorNode('not', [test], place) : test;
  }

  #parseRange(left: Node): Node {
    const cursor = this.#cursor;
    const place = cursor.take();
    this.#requireOperand();
    if (place.text === 'between') {
      const lower = this.#parseLevel(0);
      cursor.expectKeyword('and');
      this.#requireOperand();
      return operatorNode('between', [left, lower, this.#parseLevel(0)], place);
    }
    if (place.text === 'like') return operatorNode('like', [left, this.#parseLevel(0)], place);
    if (!cursor.isSymbol('(')) return operatorNode('in', [left, this.#parseLevel(0)], place);
    const open = cursor.take();
    const members = this.#parseList(')', 'RIGHT_PAREN');
    return operatorNode('in', [left, { type: 'list', members, ...spanOf(open) }], place);
  }

  #parseLevel(level: number): Node {
    const operators = levels[level];
    if (operators === undefined) return this.#parseUnary();
    let left = this.#parseLevel(level + 1);
    for (;;) {
      const operator = operators.find((one) => this.#cursor.isSymbol(one));
      if (operator === undefined) return left;
      const place = this.#cursor.take();
      this.#requireOperand();
      left = operatorNode(operator, [left, this.#parseLevel(level + 1)], place);
    }
  }

  /** A sign before a number is part of it. */
  #parseUnary(): Node {
    const cursor = this.#cursor;
    if (!cursor.isSymbol('-', '+')) return this.#parseTerm();
    const place = cursor.take();
    const operand = cursor.nest(() => this.#parseUnary());
    if (operand.type !== 'number') return operatorNode(place.text === '-' ? '-' : '+', [operand], place);
    if (place.text === '+') return operand;
    return { ...operand, text: operand.text.startsWith('-') ? operand.text.slice(1) : `-${operand.text}` };
  }

  #parseTerm(): Node {
    const cursor = this.#cursor;
    const { next } = cursor;
    const span = spanOf(next);
    switch (next.type) {
      case 'string':
        cursor.take();
        return { type: 'literal', value: { S: next.text }, ...span };
      case 'number':
        cursor.take();
        return { type: 'number', text: next.text, ...span };
      case 'ion':
        cursor.take();
        return { type: 'ion', ...span };
      case 'name':
        if (isCall(cursor)) return this.#parseCall();
        return { type: 'path', path: parsePath(cursor), ...span };
      case 'keyword':
        return this.#parseKeyword();
      case 'symbol':
        return cursor.nest(() => this.#parseSymbol());
      default:
        throw notWellFormedError('Unexpected term');
    }
  }

  #parseKeyword(): Node {
    const cursor = this.#cursor;
    const { text, ...token } = cursor.next;
    const span = spanOf(token);
    switch (text) {
      case 'true':
      case 'false':
        cursor.take();
        return { type: 'literal', value: { BOOL: text === 'true' }, ...span };
      case 'null':
        cursor.take();
        return { type: 'literal', value: { NULL: true }, ...span };
      case 'missing':
        cursor.take();
        return { type: 'missing', ...span };
      case 'select':
        return this.#parseSelect(cursor);
      case 'from':
        throw notWellFormedError('Expected data manipulation');
      default:
        if (infixKeywords.has(text)) throw notWellFormedError('Unexpected operator');
        if (isCall(cursor)) return this.#parseCall();
        throw notWellFormedError('Unexpected keyword');
    }
  }

  #parseSymbol(): Node {
    const cursor = this.#cursor;
    const open = cursor.take();
    const span = spanOf(open);
    switch (open.text) {
      case '?':
        return { type: 'parameter', index: cursor.countParameter(), ...span };
      case '@':
        if (cursor.next.type !== 'name') throw notWellFormedError('Identifier must follow @-operator');
        return { type: 'path', path: parsePath(cursor), ...span };
      case '(': {
        const members = this.#parseList(')', 'RIGHT_PAREN');
        const [only] = members;
        if (only === undefined) throw notWellFormedError('Unexpected term');
        return members.length === 1 ? only : { type: 'list', members, ...span };
      }
      case '[':
        return { type: 'list', members: this.#parseList(']', 'RIGHT_BRACKET'), ...span };
      case '<<':
        return { type: 'bag', members: this.#parseList('>>', 'RIGHT_DOUBLE_ANGLE_BRACKET'), ...span };
      case '{':
        return { type: 'struct', members: this.#parseMembers(), ...span };
      default:
        throw notWellFormedError(isOperator(open.text) ? 'Unexpected operator' : 'Unexpected term');
    }
  }

  #parseList(close: string, name: string): Node[] {
    const members: Node[] = [];
    if (this.#cursor.takeSymbol(close)) return members;
    do members.push(this.parse());
    while (this.#cursor.takeSymbol(','));
    this.#cursor.expectSymbol(close, name);
    return members;
  }

  #parseMembers(): (readonly [Node, Node])[] {
    const cursor = this.#cursor;
    const members: (readonly [Node, Node])[] = [];
    if (cursor.takeSymbol('}')) return members;
    do {
      const key = this.parse();
      cursor.expectSymbol(':', 'COLON');
      members.push([key, this.parse()]);
    } while (cursor.takeSymbol(','));
    cursor.expectSymbol('}', 'RIGHT_CURLY');
    return members;
  }

  #parseCall(): Node {
    const cursor = this.#cursor;
    const name = cursor.take();
    const lower = name.text.toLowerCase();
    cursor.take();
    const star = cursor.next;
    if (cursor.takeSymbol('*')) {
      cursor.expectSymbol(')', 'RIGHT_PAREN');
      return { type: 'call', name: lower, operands: [{ type: 'star', ...spanOf(star) }], ...spanOf(name) };
    }
    const operands = cursor.nest(() => this.#parseList(')', 'RIGHT_PAREN'));
    if (lower === 'list' || lower === 'bag') return { type: lower, members: operands, ...spanOf(name) };
    return { type: 'call', name: lower, operands, ...spanOf(name) };
  }

  #requireOperand(): void {
    if (this.#cursor.isEnd()) throw notWellFormedError('Missing right-hand side expression of infix operator');
  }
}

function operatorNode(operator: Operator, operands: readonly Node[], place: Span): Node {
  return { type: 'operator', operator, operands, ...spanOf(place) };
}

const spanOf = ({ start, end }: Span): Span => ({ start, end });

function isCall(cursor: Cursor): boolean {
  const { type, text } = cursor.peek(1);
  return type === 'symbol' && text === '(';
}
