/** The type of a token: a kind of word, a keyword in capitals, or the symbol itself. */
export type TokenType = 'name' | 'alias' | 'value' | 'integer' | 'unknown' | 'end' | Keyword | SymbolText;

/** Keywords of the language, case-insensitive. */
export type Keyword = 'AND' | 'OR' | 'NOT' | 'IN' | 'BETWEEN' | 'SET' | 'REMOVE' | 'ADD' | 'DELETE';

type SymbolText = '(' | ')' | '[' | ']' | '.' | ',' | '=' | '<>' | '<' | '<=' | '>' | '>=' | '+' | '-';

/** A token with its position in the text. */
export interface Token {
  readonly type: TokenType;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const keywords: ReadonlyMap<string, Keyword> = new Map(
  (['AND', 'OR', 'NOT', 'IN', 'BETWEEN', 'SET', 'REMOVE', 'ADD', 'DELETE'] as const).map((word) => [word, word]),
);

/** One token after white space. The alternatives begin with different characters, so the pattern never backtracks. */
const pattern =
  /[ \t\r\n]*(?:([A-Za-z][A-Za-z0-9_]*)|(#[A-Za-z0-9_]+)|(:[A-Za-z0-9_]+)|(0|[1-9][0-9]*)|(<>|<=|>=|[()[\].,=<>+-])|([^ \t\r\n]))/uy;

/** Splits the text of an expression. Text that is no token becomes an unknown one. The last token is the end. */
export function splitTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    tokens.push(toToken(found, pattern.lastIndex));
  }
  tokens.push({ type: 'end', text: '<EOF>', start: text.length, end: text.length });
  return tokens;
}

function toToken(found: RegExpExecArray, end: number): Token {
  const [, name, alias, value, integer, symbol, unknown = ''] = found;
  const at = (type: TokenType, text: string): Token => ({ type, text, start: end - text.length, end });
  if (name !== undefined) return at(keywords.get(name.toUpperCase()) ?? 'name', name);
  if (alias !== undefined) return at('alias', alias);
  if (value !== undefined) return at('value', value);
  if (integer !== undefined) return at('integer', integer);
  if (symbol !== undefined) return at(symbol as SymbolText, symbol);
  return at('unknown', unknown);
}
