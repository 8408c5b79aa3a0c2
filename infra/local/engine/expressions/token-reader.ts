import { type EngineError, invalid } from '../errors.ts';
import type { ExpressionKind } from './syntax.ts';
import { splitTokens, type Token, type TokenType } from './tokens.ts';

const longestExpressionCharacters = 4096;

/** An expression that is valid nests far less: each level takes an operator, of which 300 are allowed. */
const mostLevels = 350;

const redundantParentheses = 'The expression has redundant parentheses;';

/** The error of an expression that DynamoDB refuses. */
export function invalidExpression(kind: ExpressionKind, message: string): EngineError {
  return invalid(`Invalid ${kind}: ${message}`);
}

/** Reads the tokens of an expression one after the other. */
export class TokenReader {
  readonly kind: ExpressionKind;
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #levels = 0;
  /** Where the group of parentheses that was closed last begins and ends. */
  #group: readonly [open: number, close: number] = [-1, -1];

  /** @throws ValidationException when the text is empty or too long. */
  constructor(kind: ExpressionKind, text: string) {
    if (text === '') throw invalidExpression(kind, 'The expression can not be empty;');
    if (text.length > longestExpressionCharacters) {
      throw invalidExpression(
        kind,
        `Expression size has exceeded the maximum allowed size; expression size: ${text.length}`,
      );
    }
    this.kind = kind;
    this.#text = text;
    this.#tokens = splitTokens(text);
  }

  /** The token that comes next. */
  get next(): Token {
    return this.#tokens[this.#at] as Token;
  }

  /** Whether the token after the next one is of a type. */
  isFollowedBy(type: TokenType): boolean {
    return this.#tokens[this.#at + 1]?.type === type;
  }

  /** Steps over the next token. */
  skip(): Token {
    const token = this.next;
    this.#at += 1;
    return token;
  }

  /** Steps over the next token when it is of a type; tells whether it was. */
  accept(type: TokenType): boolean {
    if (this.next.type !== type) return false;
    this.#at += 1;
    return true;
  }

  /**
   * Steps over the next token, which must be of a type.
   *
   * @throws ValidationException when it is not.
   */
  expect(type: TokenType): Token {
    if (this.next.type !== type) throw this.syntaxError();
    return this.skip();
  }

  /**
   * Reads something that may contain others of its kind; levels are limited, so that no text exhausts the stack.
   *
   * @throws ValidationException with the message given when there are too many.
   */
  nest<T>(read: (tokens: TokenReader) => T, tooDeep: string): T {
    this.#levels += 1;
    if (this.#levels > mostLevels) throw invalidExpression(this.kind, tooDeep);
    const result = read(this);
    this.#levels -= 1;
    return result;
  }

  /**
   * Reads what stands between two parentheses.
   *
   * @throws ValidationException when that has parentheses around it already.
   */
  group<T>(read: (tokens: TokenReader) => T): T {
    const open = this.#at;
    this.expect('(');
    const inside = this.nest(read, redundantParentheses);
    const [innerOpen, innerClose] = this.#group;
    const isRedundant = innerOpen === open + 1 && innerClose === this.#at - 1;
    this.expect(')');
    if (isRedundant) throw invalidExpression(this.kind, redundantParentheses);
    this.#group = [open, this.#at - 1];
    return inside;
  }

  /** The error of a next token that cannot stand there; it shows the tokens before and after. */
  syntaxError(): EngineError {
    const token = this.next;
    const before = this.#tokens[this.#at - 1];
    const after = this.#tokens[this.#at + 1] ?? token;
    const end = after.type === 'end' && token.type !== 'end' ? token.end : after.end;
    const near = this.#text.slice(before?.start ?? 0, end);
    return invalidExpression(this.kind, `Syntax error; token: "${token.text}", near: "${near}"`);
  }
}
