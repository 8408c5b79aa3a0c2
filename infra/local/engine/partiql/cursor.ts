import { type EngineError, invalid } from '../errors.ts';
import { notWellFormed, printPlace, type Span } from './errors.ts';
import { type Token, tokenise } from './tokens.ts';

/** Parentheses, lists and operators may be so deep in one another. */
const mostLevels = 200;

/** Reads the tokens of a statement from the first to the last. */
export class Cursor {
  readonly text: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #level = 0;
  #parameters = 0;
  #problem: EngineError | undefined;

  /** @throws ValidationException where the text has no token. */
  constructor(text: string) {
    this.text = text;
    this.#tokens = tokenise(text);
  }

  /** The token that comes next. */
  get next(): Token {
    return this.peek(0);
  }

  /** How many parameters were read. */
  get parameters(): number {
    return this.#parameters;
  }

  /** A token further on. */
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

  /** @throws ValidationException when the next token is another. */
  expectKeyword(word: string): void {
    if (!this.takeKeyword(word)) throw notWellFormed(`Expected ${word.toUpperCase()}`);
  }

  /** @throws ValidationException when the next token is another. */
  expectSymbol(symbol: string, name: string): void {
    if (!this.takeSymbol(symbol)) throw notWellFormed(`Expected ${name}`);
  }

  /**
   * Reads something inside of something else.
   *
   * @throws ValidationException when it is too deep.
   */
  nest<T>(read: () => T): T {
    this.#level += 1;
    if (this.#level > mostLevels) throw notWellFormed('The statement has too many levels');
    const result = read();
    this.#level -= 1;
    return result;
  }

  /** Notes what is wrong with a statement that can be parsed; AWS tells the first when it has parsed all of it. */
  note(message: string, place?: Span): void {
    this.#problem ??= invalid(place === undefined ? message : `${message} at ${printPlace(this.text, place)}`);
  }

  /** @throws ValidationException when tokens are left. */
  requireEnd(): void {
    this.takeSymbol(';');
    if (this.next.type !== 'end') throw notWellFormed('Unexpected token after expression');
  }

  /** @throws ValidationException when something was noted. */
  requireNoProblem(): void {
    if (this.#problem !== undefined) throw this.#problem;
  }
}
