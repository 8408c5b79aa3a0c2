import { type EngineError, validationError } from '../errors.ts';
import { notWellFormedError, printPlace, type Span } from './errors.ts';
import { type Token, tokenise } from './tokens.ts';

/** Maximum depth of parentheses, lists and operators. */
const maxDepth = 200;

/** Reads the tokens of a statement in order. */
export class Cursor {
  readonly text: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #level = 0;
  #parameters = 0;
  #firstError: EngineError | undefined;

  /** @throws ValidationException at text that is not a token. */
  constructor(text: string) {
    this.text = text;
    this.#tokens = tokenise(text);
  }

  /** The next token. */
  get next(): Token {
    return this.peek(0);
  }

  /** The number of parameters so far. */
  get parameters(): number {
    return this.#parameters;
  }

  /** A later token. */
  peek(ahead: number): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)] as Token;
  }

  /** Reads the next token. */
  take(): Token {
    const token = this.next;
    this.#at += 1;
    return token;
  }

  /** Numbers the next parameter. */
  countParameter(): number {
    this.#parameters += 1;
    return this.#parameters - 1;
  }

  isKeyword(...words: readonly string[]): boolean {
    return this.next.type === 'keyword' && words.includes(this.next.text);
  }

  isSymbol(...symbols: readonly string[]): boolean {
    return this.next.type === 'symbol' && symbols.includes(this.next.text);
  }

  /** Whether a statement could end here. */
  isEnd(): boolean {
    return this.next.type === 'end' || (this.isSymbol(';') && this.peek(1).type === 'end');
  }

  /** Reads the next token if it is that keyword. */
  takeKeyword(word: string): boolean {
    const found = this.isKeyword(word);
    if (found) this.#at += 1;
    return found;
  }

  /** Reads the next token if it is that symbol. */
  takeSymbol(symbol: string): boolean {
    const found = this.isSymbol(symbol);
    if (found) this.#at += 1;
    return found;
  }

  /** @throws ValidationException if the next token is another one. */
  expectKeyword(word: string): void {
    if (!this.takeKeyword(word)) throw notWellFormedError(`Expected ${word.toUpperCase()}`);
  }

  /** @throws ValidationException if the next token is another one. */
  expectSymbol(symbol: string, name: string): void {
    if (!this.takeSymbol(symbol)) throw notWellFormedError(`Expected ${name}`);
  }

  /**
   * Parses a nested construct.
   *
   * @throws ValidationException if it is too deep.
   */
  nest<T>(read: () => T): T {
    this.#level += 1;
    if (this.#level > maxDepth) throw notWellFormedError('The statement has too many levels');
    const result = read();
    this.#level -= 1;
    return result;
  }

  /**
   * Records an error of a statement that can be parsed. AWS reports the first one after it has parsed the whole
   * statement.
   */
  note(message: string, place?: Span): void {
    this.#firstError ??= validationError(
      place === undefined ? message : `${message} at ${printPlace(this.text, place)}`,
    );
  }

  /** @throws ValidationException if tokens are left. */
  requireEnd(): void {
    this.takeSymbol(';');
    if (this.next.type !== 'end') throw notWellFormedError('Unexpected token after expression');
  }

  /** @throws ValidationException if an error was recorded. */
  requireNoProblem(): void {
    if (this.#firstError !== undefined) throw this.#firstError;
  }
}
