import type { Cursor } from './cursor.ts';
import { notWellFormedError } from './errors.ts';
import { kindOf } from './kinds.ts';
import { valueOf } from './literals.ts';
import type { ExpressionParser } from './parse-expression.ts';
import { parsePath } from './parse-path.ts';
import { parseWhere } from './parse-select.ts';
import { parseInto, parseTarget } from './parse-source.ts';
import { noteCollisions } from './paths.ts';
import type {
  Assignment,
  DeleteStatement,
  InsertedValue,
  InsertStatement,
  Node,
  OtherStatement,
  Returning,
  UpdateStatement,
} from './syntax.ts';

/**
 * Parses an INSERT.
 *
 * @throws ValidationException if it is incomplete.
 */
export function parseInsert(cursor: Cursor, expressions: ExpressionParser): InsertStatement | OtherStatement {
  const start = cursor.next;
  cursor.expectKeyword('insert');
  cursor.expectKeyword('into');
  const source = parseInto(cursor);
  if (!cursor.takeKeyword('value')) {
    if (!cursor.takeKeyword('values')) expressions.parse();
    else
      do expressions.parse();
      while (cursor.takeSymbol(','));
    return { type: 'other', kind: 'InsertOp' };
  }
  const item = expressions.parse();
  if (cursor.takeKeyword('at')) {
    expressions.parse();
    cursor.note('AT is not supported in insert statements.', start);
  }
  if (parseReturning(cursor) !== undefined) cursor.note('RETURNING is not supported in INSERT');
  return { type: 'insert', source, members: readMembers(cursor, item) };
}

function readMembers(cursor: Cursor, item: Node): InsertStatement['members'] {
  if (item.type !== 'struct') {
    cursor.note(
      'Unsupported format in item expression. Please use struct format {...} to express item values for insert ' +
        'statement.',
      item,
    );
    return [];
  }
  const members = new Map<string, InsertedValue>();
  for (const [key, value] of item.members) {
    const name = key.type === 'literal' && 'S' in key.value ? key.value.S : undefined;
    if (name === undefined) {
      cursor.note(`Tuple keys must be of type String. Actual type: ${kindOf(key)} under root`, key);
      continue;
    }
    if (name === '') cursor.note('Path component cannot be an empty string');
    if (members.has(name)) cursor.note(`Duplicate keys in tuple. Key: ${name} under root`, value);
    members.set(name, value.type === 'parameter' ? value.index : valueOf(value, cursor));
  }
  return [...members];
}

/**
 * Parses an UPDATE.
 *
 * @throws ValidationException if it is incomplete.
 */
export function parseUpdate(cursor: Cursor, expressions: ExpressionParser): UpdateStatement {
  cursor.expectKeyword('update');
  const source = parseTarget(cursor);
  const assignments = parseAssignments(cursor, expressions);
  const where = parseWhere(cursor, expressions);
  return finishUpdate(cursor, { type: 'update', source, assignments, where, returning: parseReturning(cursor) });
}

/**
 * Parses an UPDATE that begins with its table and its condition: `FROM ... WHERE ... SET ...`.
 *
 * @throws ValidationException if it is incomplete.
 */
export function parseFromFirst(cursor: Cursor, expressions: ExpressionParser): UpdateStatement {
  cursor.expectKeyword('from');
  const source = parseTarget(cursor);
  const where = parseWhere(cursor, expressions);
  const assignments = parseAssignments(cursor, expressions);
  return finishUpdate(cursor, { type: 'update', source, assignments, where, returning: parseReturning(cursor) });
}

function finishUpdate(cursor: Cursor, update: UpdateStatement): UpdateStatement {
  if (update.source.index !== undefined) cursor.note('This operation is not supported on an index');
  noteCollisions(
    cursor,
    update.assignments.map(({ path }) => path),
  );
  return update;
}

function parseAssignments(cursor: Cursor, expressions: ExpressionParser): Assignment[] {
  const assignments: Assignment[] = [];
  while (cursor.isKeyword('set', 'remove')) {
    if (cursor.take().text === 'remove') {
      assignments.push({ path: parseChanged(cursor), value: undefined });
      continue;
    }
    do {
      const path = parseChanged(cursor);
      cursor.expectSymbol('=', 'EQ');
      assignments.push({ path, value: expressions.parse() });
    } while (cursor.takeSymbol(','));
  }
  if (assignments.length === 0) throw notWellFormedError('Expected data manipulation');
  return assignments;
}

function parseChanged(cursor: Cursor): Assignment['path'] {
  if (cursor.next.type !== 'name') throw notWellFormedError('Expected identifier for simple path');
  return parsePath(cursor);
}

/**
 * Parses a DELETE.
 *
 * @throws ValidationException if it is incomplete.
 */
export function parseDelete(cursor: Cursor, expressions: ExpressionParser): DeleteStatement {
  cursor.expectKeyword('delete');
  cursor.expectKeyword('from');
  const source = parseTarget(cursor);
  const where = parseWhere(cursor, expressions);
  const returning = parseReturning(cursor);
  if (source.index !== undefined) cursor.note('This operation is not supported on an index');
  if (returning !== undefined && returning !== 'ALL OLD') {
    cursor.note(
      `Invalid returning clause: RETURNING ${returning} *. Only RETURNING ALL OLD * is allowed in DELETE statements.`,
    );
  }
  return { type: 'delete', source, where, returning };
}

function parseReturning(cursor: Cursor): Returning | undefined {
  if (!cursor.takeKeyword('returning')) return undefined;
  const returning = parseReturned(cursor);
  while (cursor.takeSymbol(',')) {
    cursor.note('Invalid syntax with multiple returning elements in RETURNING clause');
    parseReturned(cursor);
  }
  return returning;
}

function parseReturned(cursor: Cursor): Returning {
  const expected = notWellFormedError('Expected ( MODIFIED | ALL ) ( NEW | OLD ) in the returning clause.');
  if (!cursor.isKeyword('modified', 'all')) throw expected;
  const which = cursor.take().text === 'all' ? 'ALL' : 'MODIFIED';
  if (!cursor.isKeyword('new', 'old')) throw expected;
  const when = cursor.take().text === 'new' ? 'NEW' : 'OLD';
  if (!cursor.takeSymbol('*')) {
    parsePath(cursor);
    cursor.note("Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause");
  }
  return `${which} ${when}`;
}
