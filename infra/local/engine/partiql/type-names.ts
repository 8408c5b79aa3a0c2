import type { Cursor } from './cursor.ts';
import { notWellFormed } from './errors.ts';

/** Types that IS may be followed by, as messages name them. */
const names: ReadonlyMap<string, string> = new Map([
  ['missing', 'MISSING'],
  ['null', 'NULL'],
  ['bool', 'BOOLEAN'],
  ['boolean', 'BOOLEAN'],
  ['smallint', 'SMALLINT'],
  ['int', 'INTEGER'],
  ['int2', 'SMALLINT'],
  ['int4', 'INTEGER4'],
  ['int8', 'INTEGER8'],
  ['integer', 'INTEGER'],
  ['integer2', 'SMALLINT'],
  ['integer4', 'INTEGER4'],
  ['integer8', 'INTEGER8'],
  ['bigint', 'INTEGER8'],
  ['float', 'FLOAT'],
  ['real', 'REAL'],
  ['double', 'DOUBLE_PRECISION'],
  ['dec', 'DECIMAL'],
  ['decimal', 'DECIMAL'],
  ['numeric', 'NUMERIC'],
  ['date', 'DATE'],
  ['time', 'TIME'],
  ['timestamp', 'TIMESTAMP'],
  ['char', 'CHARACTER'],
  ['character', 'CHARACTER'],
  ['varchar', 'CHARACTER_VARYING'],
  ['string', 'STRING'],
  ['symbol', 'SYMBOL'],
  ['clob', 'CLOB'],
  ['blob', 'BLOB'],
  ['struct', 'STRUCT'],
  ['tuple', 'TUPLE'],
  ['list', 'LIST'],
  ['sexp', 'SEXP'],
  ['bag', 'BAG'],
]);

/**
 * Reads the name of a type, which may have lengths in parentheses.
 *
 * @throws ValidationException when there is none.
 */
export function readTypeName(cursor: Cursor): string {
  const { type, text } = cursor.next;
  const name = type === 'keyword' || type === 'name' ? names.get(text.toLowerCase()) : undefined;
  if (name === undefined) throw notWellFormed('Expected type name');
  cursor.take();
  if (name === 'DOUBLE_PRECISION') cursor.expectKeyword('precision');
  const isVarying = name === 'CHARACTER' && cursor.takeKeyword('varying');
  if (cursor.takeSymbol('(')) {
    do {
      if (cursor.take().type !== 'number') throw notWellFormed('Expected integer value');
    } while (cursor.takeSymbol(','));
    cursor.expectSymbol(')', 'RIGHT_PAREN');
  }
  return isVarying ? 'CHARACTER_VARYING' : name;
}
