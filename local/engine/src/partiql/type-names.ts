import type { Cursor } from './cursor.ts';
import { notWellFormedError } from './errors.ts';

/** The type names that IS accepts, as in messages. */
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
 * Parses the name of a type, with optional lengths in parentheses.
 *
 * @throws ValidationException if there is none.
 */
export function readTypeName(cursor: Cursor): string {
  const { type, text } = cursor.next;
  const name = type === 'keyword' || type === 'name' ? names.get(text.toLowerCase()) : undefined;
  if (name === undefined) throw notWellFormedError('Expected type name');
  cursor.take();
  if (name === 'DOUBLE_PRECISION') cursor.expectKeyword('precision');
  const isVarying = name === 'CHARACTER' && cursor.takeKeyword('varying');
  if (cursor.takeSymbol('(')) {
    do {
      if (cursor.take().type !== 'number') throw notWellFormedError('Expected integer value');
    } while (cursor.takeSymbol(','));
    cursor.expectSymbol(')', 'RIGHT_PAREN');
  }
  return isVarying ? 'CHARACTER_VARYING' : name;
}
