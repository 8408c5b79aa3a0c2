import { notWellFormedError, type Span } from './errors.ts';
import { keywords } from './keywords.ts';

/** A token of a statement. `text` is its meaning: keywords in lower case, strings and names without quotes. */
export interface Token extends Span {
  readonly type: 'keyword' | 'name' | 'string' | 'number' | 'symbol' | 'ion' | 'end';
  readonly text: string;
}

const symbols = '<< >> <= >= <> != || ( ) [ ] { } < > = + - * / % , . : ; ? @'.split(' ');
const maxScale = 2 ** 31 - 1;
const minScale = -(2 ** 31);

/**
 * Splits a statement into tokens; the last one is its end.
 *
 * @throws ValidationException at text that is not a token.
 */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  let at = skipBlanks(text, 0);
  while (at < text.length) {
    const token = readToken(text, at);
    tokens.push(token);
    at = skipBlanks(text, token.end);
  }
  tokens.push({ type: 'end', text: '', start: text.length, end: text.length });
  return tokens;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    if (/\s/.test(text.charAt(at))) {
      at += 1;
    } else if (text.startsWith('--', at)) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end + 1;
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2);
      if (end < 0) throw notWellFormedError('');
      at = end + 2;
    } else {
      return at;
    }
  }
}

function readToken(text: string, start: number): Token {
  const first = text.charAt(start);
  if (first === "'") return readQuoted(text, start, 'string');
  if (first === '"') return readQuoted(text, start, 'name');
  if (first === '`') return readQuoted(text, start, 'ion');
  if (isNameStart(first)) return readWord(text, start);
  if (isDigit(first) || (first === '.' && isDigit(text.charAt(start + 1)))) return readNumber(text, start);
  const symbol = symbols.find((one) => text.startsWith(one, start));
  if (symbol === undefined) throw notWellFormedError('');
  return { type: 'symbol', text: symbol, start, end: start + symbol.length };
}

/** A quote within quotes is doubled. */
function readQuoted(text: string, start: number, type: 'string' | 'name' | 'ion'): Token {
  const quote = text.charAt(start);
  let content = '';
  let at = start + 1;
  for (;;) {
    const next = text.indexOf(quote, at);
    if (next < 0) throw notWellFormedError('');
    content += text.slice(at, next);
    if (text.charAt(next + 1) !== quote) return { type, text: content, start, end: next + 1 };
    content += quote;
    at = next + 2;
  }
}

function readWord(text: string, start: number): Token {
  let end = start + 1;
  while (isNameStart(text.charAt(end)) || isDigit(text.charAt(end))) end += 1;
  const word = text.slice(start, end);
  const lower = word.toLowerCase();
  if (keywords.has(lower)) return { type: 'keyword', text: lower, start, end };
  return { type: 'name', text: word, start, end };
}

function readNumber(text: string, start: number): Token {
  let end = skipDigits(text, start);
  let decimals = 0;
  if (text.charAt(end) === '.') {
    const point = end;
    end = skipDigits(text, end + 1);
    decimals = end - point - 1;
  }
  let exponent = 0;
  if (/[eE]/.test(text.charAt(end))) {
    const digits = /[+-]/.test(text.charAt(end + 1)) ? end + 2 : end + 1;
    const after = skipDigits(text, digits);
    if (after === digits) throw notWellFormedError('');
    exponent = Number(text.slice(end + 1, after));
    end = after;
  }
  // AWS stores the exponent and the scale of a literal in 32 bits each.
  const fits = (number: number) => number >= minScale && number <= maxScale;
  if (!fits(exponent) || !fits(decimals - exponent) || isNameStart(text.charAt(end))) throw notWellFormedError('');
  return { type: 'number', text: text.slice(start, end), start, end };
}

function skipDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charAt(at))) at += 1;
  return at;
}

const isDigit = (character: string) => character >= '0' && character <= '9';

function isNameStart(character: string): boolean {
  return (
    (character >= 'a' && character <= 'z') ||
    (character >= 'A' && character <= 'Z') ||
    character === '_' ||
    character === '$'
  );
}
