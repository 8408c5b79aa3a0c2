import { type EngineError, validationError } from '../errors.ts';
import type { ExpressionKind } from './syntax.ts';
import { splitTokens, type Token, type TokenType } from './tokens.ts';

const maxExpressionCharacters = 4096;

/** Valid expressions nest far less: each level needs an operator, and 300 are allowed. */
const maxDepth = 350;

const redundantParentheses = 'The expression has redundant parentheses;';

/** The error of an invalid expression. */
export function invalidExpressionError(kind: ExpressionKind, message: string): EngineError {
  return validationError(`Invalid ${kind}: ${message}`);
}

/** Reads the tokens of an expression in order. */
export class TokenReader {
  readonly kind: ExpressionKind;
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #levels = 0;
  /** The positions of the parentheses that were closed last. */
  #group: readonly [open: number, close: number] = [-1, -1];

  /** @throws ValidationException if the text is empty or too long. */
  constructor(kind: ExpressionKind, text: string) {
    if (text === '') throw invalidExpressionError(kind, 'The expression can not be empty;');
    if (text.length > maxExpressionCharacters) {
      throw invalidExpressionError(
        kind,
        `Expression size has exceeded the maximum allowed size; expression size: ${text.length}`,
      );
    }
    this.kind = kind;
    this.#text = text;
    this.#tokens = splitTokens(text);
  }

  /** The next token. */
  get next(): Token {
    return this.#tokens[this.#at] as Token;
  }

  /** Whether the token after the next one has a type. */
  isFollowedBy(type: TokenType): boolean {
    return this.#tokens[this.#at + 1]?.type === type;
  }

  /** Consumes the next token. */
  skip(): Token {
    const token = this.next;
    this.#at += 1;
    return token;
  }

  /** Consumes the next token if it has a type; returns whether it had. */
  accept(type: TokenType): boolean {
    if (this.next.type !== type) return false;
    this.#at += 1;
    return true;
  }

  /**
   * Consumes the next token, which must have a type.
   *
   * @throws ValidationException if it has not.
   */
  expect(type: TokenType): Token {
    if (this.next.type !== type) throw this.syntaxError();
    return this.skip();
  }

  /**
   * Parses a nested construct. The depth is limited, so that no text exhausts the stack.
   *
   * @throws ValidationException with the given message if it is too deep.
   */
  nest<T>(read: (tokens: TokenReader) => T, tooDeep: string): T {
    this.#levels += 1;
    if (this.#levels > maxDepth) throw invalidExpressionError(this.kind, tooDeep);
    const result = read(this);
    this.#levels -= 1;
    return result;
  }

  /**
   * Parses the content of parentheses.
   *
   * @throws ValidationException for redundant parentheses.
   */
  group<T>(read: (tokens: TokenReader) => T): T {
    const open = this.#at;
    this.expect('(');
    const inside = this.nest(read, redundantParentheses);
    const [innerOpen, innerClose] = this.#group;
    const isRedundant = innerOpen === open + 1 && innerClose === this.#at - 1;
    this.expect(')');
    if (isRedundant) throw invalidExpressionError(this.kind, redundantParentheses);
    this.#group = [open, this.#at - 1];
    return inside;
  }

  /** The error of an unexpected token; it shows the tokens before and after. */
  syntaxError(): EngineError {
    const token = this.next;
    const before = this.#tokens[this.#at - 1];
    const after = this.#tokens[this.#at + 1] ?? token;
    const end = after.type === 'end' && token.type !== 'end' ? token.end : after.end;
    const near = this.#text.slice(before?.start ?? 0, end);
    return invalidExpressionError(this.kind, `Syntax error; token: "${token.text}", near: "${near}"`);
  }
}
