import type { Path } from '../expressions/path.ts';
import type { Cursor } from './cursor.ts';
import { notWellFormedError } from './errors.ts';
import type { ExpressionParser } from './parse-expression.ts';
import { parsePath } from './parse-path.ts';
import type { Source } from './syntax.ts';

const tableName = /^[a-zA-Z0-9_.-]{3,255}$/;

/**
 * Parses the table of an INSERT. Its form is not checked: no table has an invalid name.
 *
 * @throws ValidationException if it is missing.
 */
export function parseInto(cursor: Cursor): Source {
  const [table = '', ...more] = parseNames(cursor).map(String);
  if (more.length > 0) {
    cursor.note('FROM clause may only contain a single table name in data manipulation statements');
  }
  return { table };
}

/**
 * Parses the table of an UPDATE or a DELETE.
 *
 * @throws ValidationException if it is missing.
 */
export function parseTarget(cursor: Cursor): Source {
  const path = parseNames(cursor);
  parseAlias(cursor);
  return readNames(cursor, path);
}

function parseNames(cursor: Cursor): Path {
  if (cursor.next.type !== 'name') throw notWellFormedError('Expected identifier for simple path');
  return parsePath(cursor);
}

/**
 * Parses the table or the index of a SELECT.
 *
 * @throws ValidationException if it is missing.
 */
export function parseSource(cursor: Cursor, expressions: ExpressionParser): Source {
  const named = expressions.parse();
  parseAlias(cursor);
  while (cursor.isSymbol(',') || cursor.isKeyword('join', 'inner', 'left', 'right', 'full', 'cross')) {
    cursor.note('Only select from a single table or index is supported.');
    if (!cursor.takeSymbol(',')) while (cursor.next.type === 'keyword') cursor.take();
    expressions.parse();
    parseAlias(cursor);
    if (cursor.takeKeyword('on')) expressions.parse();
  }
  if (named.type === 'path') return readNames(cursor, named.path);
  cursor.note('Unexpected from source');
  return { table: '' };
}

/** Parses an alias of a table, which DynamoDB does not allow. */
function parseAlias(cursor: Cursor): void {
  const isNamed = cursor.takeKeyword('as') || cursor.takeKeyword('at') || cursor.takeKeyword('by');
  if (cursor.next.type === 'name') cursor.take();
  else if (isNamed) throw notWellFormedError('Expected identifier for alias');
  else return;
  cursor.note('Aliasing is not supported');
}

function readNames(cursor: Cursor, path: Path): Source {
  const [table = '', index, ...more] = path.map(String);
  if (more.length > 0) cursor.note('A path may contain at most 2 components in the FROM clause');
  requireName(cursor, table);
  if (index === undefined) return { table };
  requireName(cursor, index);
  return { table, index };
}

function requireName(cursor: Cursor, name: string): void {
  if (tableName.test(name) || name.startsWith('arn:')) return;
  cursor.note("Table name should be within the length [3, 255] and only contain 'a-z', 'A-Z', '0-9', '-', '_', '.'.");
}
