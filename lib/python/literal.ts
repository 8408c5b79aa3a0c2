import { readNumber } from './number.ts';

/** The value of a Python literal; tuples are lists. */
export type Literal = string | number | bigint | boolean | null | Literal[] | { [key: string]: Literal };

/**
 * Reads a Python literal as `str()` writes it, or JSON. The official client sends its filters like this (spec/dids.md
 * 3.1).
 *
 * @throws SyntaxError if the text is neither.
 */
export function readLiteral(text: string): Literal {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

const maxDepth = 16;

const words = new Map<string, Literal>([
  ['True', true],
  ['true', true],
  ['False', false],
  ['false', false],
  ['None', null],
  ['null', null],
]);

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  '/': '/',
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The number of hex digits after an escape. */
const hexDigitCounts: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  end(): void {
    this.#skipBlanks();
    if (this.#at < this.#text.length) this.#fail();
  }

  value(depth: number): Literal {
    if (depth > maxDepth) this.#fail();
    this.#skipBlanks();
    const next = this.#text[this.#at];
    if (next === '[') return this.#list(']', depth);
    if (next === '(') return this.#list(')', depth);
    if (next === '{') return this.#dictionary(depth);
    if (next === "'" || next === '"') return this.#string(next);
    return this.#wordOrNumber();
  }

  #list(close: string, depth: number): Literal[] {
    const list: Literal[] = [];
    this.#at += 1;
    while (!this.#take(close)) {
      list.push(this.value(depth + 1));
      if (!this.#take(',') && !this.#sees(close)) this.#fail();
    }
    return list;
  }

  #dictionary(depth: number): { [key: string]: Literal } {
    const entries: [string, Literal][] = [];
    this.#at += 1;
    while (!this.#take('}')) {
      const key = this.value(depth + 1);
      if (typeof key !== 'string' || !this.#take(':')) return this.#fail();
      entries.push([key, this.value(depth + 1)]);
      if (!this.#take(',') && !this.#sees('}')) this.#fail();
    }
    return Object.fromEntries(entries);
  }

  #string(quote: string): string {
    let text = '';
    for (this.#at += 1; ; this.#at += 1) {
      const character = this.#text[this.#at];
      if (character === undefined || character === '\n') this.#fail();
      if (character === quote) {
        this.#at += 1;
        return text;
      }
      text += character === '\\' ? this.#escape() : character;
    }
  }

  /** Reads an escape and leaves the position on its last character. */
  #escape(): string {
    this.#at += 1;
    const kind = this.#text[this.#at] ?? '';
    const digits = hexDigitCounts[kind];
    if (digits === undefined) return escapes[kind] ?? `\\${kind}`;
    const hex = this.#text.slice(this.#at + 1, this.#at + 1 + digits);
    const code = Number.parseInt(hex, 16);
    if (!new RegExp(`^[0-9a-fA-F]{${digits}}$`).test(hex) || code > 0x10ffff) this.#fail();
    this.#at += digits;
    return String.fromCodePoint(code);
  }

  #wordOrNumber(): Literal {
    const token = /^[\w.+-]+/.exec(this.#text.slice(this.#at, this.#at + 64))?.[0] ?? this.#fail();
    this.#at += token.length;
    const word = words.get(token);
    if (word !== undefined) return word;
    return readNumber(token) ?? this.#fail();
  }

  #sees(character: string): boolean {
    this.#skipBlanks();
    return this.#text[this.#at] === character;
  }

  #take(character: string): boolean {
    const seen = this.#sees(character);
    if (seen) this.#at += 1;
    return seen;
  }

  #skipBlanks(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #fail(): never {
    throw new SyntaxError(`no literal at position ${this.#at}`);
  }
}
