import type { Cursor } from './cursor.ts';
import { notWellFormed } from './errors.ts';
import { parsePath } from './parse-path.ts';
import type { Source } from './syntax.ts';

const tableName = /^[a-zA-Z0-9_.-]{3,255}$/;

/**
 * Parses the table that a statement changes.
 *
 * @throws ValidationException when it is not named.
 */
export function parseTarget(cursor: Cursor): Source {
  if (cursor.next.type !== 'name') throw notWellFormed('Expected identifier for simple path');
  return parseNames(cursor);
}

/**
 * Parses the table or the index that a SELECT reads.
 *
 * @throws ValidationException when it is not there.
 */
export function parseSource(cursor: Cursor, parseOther: () => unknown): Source {
  let source: Source = { table: '' };
  if (cursor.next.type === 'name') {
    source = parseNames(cursor);
  } else {
    parseOther();
    cursor.note('Unexpected from source');
  }
  parseAlias(cursor);
  while (cursor.isSymbol(',') || cursor.isKeyword('join', 'inner', 'left', 'right', 'full', 'cross')) {
    cursor.note('Only select from a single table or index is supported.');
    if (!cursor.takeSymbol(',')) while (cursor.next.type === 'keyword') cursor.take();
    parseOther();
    parseAlias(cursor);
    if (cursor.takeKeyword('on')) parseOther();
  }
  return source;
}

/** Reads another name for a table, which DynamoDB does not take. */
export function parseAlias(cursor: Cursor): void {
  const isNamed = cursor.takeKeyword('as') || cursor.takeKeyword('at') || cursor.takeKeyword('by');
  if (cursor.next.type === 'name') cursor.take();
  else if (isNamed) throw notWellFormed('Expected identifier for alias');
  else return;
  cursor.note('Aliasing is not supported');
}

function parseNames(cursor: Cursor): Source {
  const [table = '', index, ...more] = parsePath(cursor).map(String);
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
