import { checkCondition, checkPath, checkUpdate } from './check.ts';
import { parseCondition as parseConditionText } from './parse-condition.ts';
import { parseList, parsePath } from './parse-operand.ts';
import { parseUpdate as parseUpdateText } from './parse-update.ts';
import type { ConditionNode, ExpressionKind, PathNode, UpdateNode } from './syntax.ts';
import { TokenReader } from './token-reader.ts';

/** Size of each cache of parsed expressions. Requests repeat the same texts with other values. */
const maxCachedTexts = 2000;

/** Caches parse results by text; drops the oldest entry when full. */
function cacheByText<T, K extends ExpressionKind>(parse: (text: string, kind: K) => T): (text: string, kind: K) => T {
  const known = new Map<string, T>();
  return (text, kind) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const parsed = parse(text, kind);
    if (known.size >= maxCachedTexts) known.delete(known.keys().next().value ?? '');
    known.set(text, parsed);
    return parsed;
  };
}

/** Kinds of expressions that are conditions. */
export type ConditionExpressionKind = 'ConditionExpression' | 'FilterExpression' | 'KeyConditionExpression';

/**
 * Parses a condition.
 *
 * @throws ValidationException for errors that do not depend on names and values.
 */
export const parseCondition = cacheByText((text, kind: ConditionExpressionKind): ConditionNode => {
  const node = parseConditionText(new TokenReader(kind, text));
  checkCondition(kind, node);
  return node;
});

/**
 * Parses an update.
 *
 * @throws ValidationException for errors that do not depend on names and values.
 */
export const parseUpdate = cacheByText((text, kind: 'UpdateExpression'): UpdateNode => {
  const node = parseUpdateText(new TokenReader(kind, text));
  checkUpdate(node);
  return node;
});

/**
 * Parses a projection: paths separated by commas.
 *
 * @throws ValidationException for errors that do not depend on names.
 */
export const parseProjection = cacheByText((text, kind: 'ProjectionExpression'): readonly PathNode[] => {
  const tokens = new TokenReader(kind, text);
  const paths = parseList(tokens, parsePath);
  tokens.expect('end');
  for (const path of paths) checkPath(kind, path);
  return paths;
});
