import { Cursor } from './cursor.ts';
import { kindOf } from './kinds.ts';
import { ExpressionParser } from './parse-expression.ts';
import { parseSelect } from './parse-select.ts';
import { parseDelete, parseFromFirst, parseInsert, parseUpdate } from './parse-write.ts';
import type { Node, Statement } from './syntax.ts';

/** Size of the cache of parsed statements. Requests repeat few texts with other parameters. */
const maxCachedStatements = 1_000;
const kept = new Map<string, Statement>();

/**
 * Parses a statement; results are cached.
 *
 * @throws ValidationException for errors that do not depend on table and parameters.
 */
export function parseStatement(text: string): Statement {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const cursor = new Cursor(text);
  const body = parseBody(cursor);
  cursor.requireEnd();
  // AWS checks only the statements that it supports.
  if (body.type !== 'other') cursor.requireNoProblem();
  const statement = { text, body, parameters: cursor.parameters };
  cacheStatement(statement);
  return statement;
}

function cacheStatement(statement: Statement): void {
  const [oldest] = kept.size < maxCachedStatements ? [] : kept.keys();
  if (oldest !== undefined) kept.delete(oldest);
  kept.set(statement.text, statement);
}

function parseBody(cursor: Cursor): Statement['body'] {
  const expressions: ExpressionParser = new ExpressionParser(cursor, () => {
    const { start, end } = cursor.next;
    return { type: 'select', select: parseSelect(cursor, expressions), start, end };
  });
  if (cursor.isKeyword('insert')) return parseInsert(cursor, expressions);
  if (cursor.isKeyword('update')) return parseUpdate(cursor, expressions);
  if (cursor.isKeyword('delete')) return parseDelete(cursor, expressions);
  if (cursor.isKeyword('from')) return parseFromFirst(cursor, expressions);
  if (cursor.isKeyword('create', 'drop')) return parseDefinition(cursor);
  return bodyOf(expressions.parse());
}

/** Other operations create and delete tables. */
function parseDefinition(cursor: Cursor): Statement['body'] {
  const verb = cursor.take().text === 'create' ? 'Create' : 'Drop';
  const isTable = cursor.takeKeyword('table');
  if (!isTable) cursor.expectKeyword('index');
  while (!cursor.isEnd()) cursor.take();
  return { type: 'other', kind: `${verb}${isTable ? 'Table' : 'Index'}` };
}

function bodyOf(node: Node): Statement['body'] {
  if (node.type === 'select') return node.select;
  if (node.type === 'call' && node.name === 'exists') {
    const [only] = node.operands;
    if (node.operands.length === 1 && only?.type === 'select') {
      return { type: 'exists', source: only.select.source, where: only.select.where };
    }
  }
  const kind = kindOf(node);
  return { type: 'other', kind: kind === 'NAry' ? undefined : kind };
}
