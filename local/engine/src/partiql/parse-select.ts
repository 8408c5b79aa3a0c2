import type { Path } from '../expressions/path.ts';
import type { Cursor } from './cursor.ts';
import { notWellFormedError } from './errors.ts';
import { tagOf } from './kinds.ts';
import type { ExpressionParser } from './parse-expression.ts';
import { parseSource } from './parse-source.ts';
import { noteCollisions, shownName } from './paths.ts';
import type { Node, OrderTerm, SelectStatement } from './syntax.ts';

/**
 * Parses a SELECT.
 *
 * @throws ValidationException if it is incomplete.
 */
export function parseSelect(cursor: Cursor, expressions: ExpressionParser): SelectStatement {
  cursor.expectKeyword('select');
  if (cursor.takeKeyword('distinct')) cursor.note('Unsupported token in expression: DISTINCT');
  else cursor.takeKeyword('all');
  const paths = parseProjection(cursor, expressions);
  cursor.expectKeyword('from');
  const source = parseSource(cursor, expressions);
  const where = parseWhere(cursor, expressions);
  const order = parseOrder(cursor, expressions);
  noteUnsupportedClauses(cursor, expressions);
  return { type: 'select', source, paths, where, order };
}

/** Parses a WHERE clause, if there is one. */
export function parseWhere(cursor: Cursor, expressions: ExpressionParser): Node | undefined {
  return cursor.takeKeyword('where') ? expressions.parse() : undefined;
}

function parseProjection(cursor: Cursor, expressions: ExpressionParser): readonly Path[] | undefined {
  if (cursor.takeSymbol('*')) return undefined;
  const isValue = cursor.takeKeyword('value');
  if (isValue || cursor.takeKeyword('pivot')) {
    cursor.note("Select projection doesn't support value or pivot keywords");
  }
  const paths: Path[] = [];
  do {
    const item = expressions.parse();
    const isAliased = cursor.takeKeyword('as');
    if (isAliased || cursor.next.type === 'name') {
      if (cursor.take().type !== 'name') throw notWellFormedError('Expected identifier for alias');
      cursor.note('Aliasing is not supported');
    }
    if (item.type === 'path') paths.push(item.path);
    else cursor.note('Unexpected path component', item);
  } while (cursor.takeSymbol(','));
  noteRepeats(cursor, paths);
  return paths;
}

function noteRepeats(cursor: Cursor, paths: readonly Path[]): void {
  const seen = new Set<string>();
  for (const name of paths.map(shownName)) {
    if (seen.has(name)) cursor.note(`Duplicate identifiers in select clause: ${name}`);
    seen.add(name);
  }
  noteCollisions(cursor, paths);
}

function parseOrder(cursor: Cursor, expressions: ExpressionParser): readonly OrderTerm[] {
  if (!cursor.takeKeyword('order')) return [];
  cursor.expectKeyword('by');
  const terms: OrderTerm[] = [];
  do {
    const term = expressions.parse();
    const isDescending = cursor.takeKeyword('desc');
    if (!isDescending) cursor.takeKeyword('asc');
    const name = term.type === 'path' && term.path.length === 1 ? term.path[0] : undefined;
    if (name !== undefined) terms.push({ name: String(name), isDescending });
    else cursor.note(`Argument to ORDER BY must be of type VariableReference. Type: ${tagOf(term)}`);
  } while (cursor.takeSymbol(','));
  return terms;
}

function noteUnsupportedClauses(cursor: Cursor, expressions: ExpressionParser): void {
  if (cursor.takeKeyword('group')) {
    cursor.expectKeyword('by');
    do expressions.parse();
    while (cursor.takeSymbol(','));
    cursor.note('Unsupported clause: GROUP BY');
  }
  for (const clause of ['having', 'limit']) {
    if (cursor.takeKeyword(clause)) cursor.note(`Unsupported clause: ${clause.toUpperCase()}`, expressions.parse());
  }
}
