import { checkCondition, checkPath, checkUpdate } from './check.ts';
import { parseCondition as parseConditionText } from './parse-condition.ts';
import { parseList, parsePath } from './parse-operand.ts';
import { parseUpdate as parseUpdateText } from './parse-update.ts';
import type { ConditionNode, ExpressionKind, PathNode, UpdateNode } from './syntax.ts';
import { TokenReader } from './token-reader.ts';

/** Texts whose syntax is kept; the same ones come again and again, with other values. */
const mostTexts = 2000;

/** Keeps what was parsed by its text; of too many, the one that was parsed first goes. */
function remember<T, K extends ExpressionKind>(parse: (text: string, kind: K) => T): (text: string, kind: K) => T {
  const known = new Map<string, T>();
  return (text, kind) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const parsed = parse(text, kind);
    if (known.size >= mostTexts) known.delete(known.keys().next().value ?? '');
    known.set(text, parsed);
    return parsed;
  };
}

/** Kinds of expressions that are conditions. */
export type ConditionExpressionKind = 'ConditionExpression' | 'FilterExpression' | 'KeyConditionExpression';

/**
 * Parses a condition.
 *
 * @throws ValidationException for what is wrong with it whatever the names and values are.
 */
export const parseCondition = remember((text, kind: ConditionExpressionKind): ConditionNode => {
  const node = parseConditionText(new TokenReader(kind, text));
  checkCondition(kind, node);
  return node;
});

/**
 * Parses an update.
 *
 * @throws ValidationException for what is wrong with it whatever the names and values are.
 */
export const parseUpdate = remember((text, kind: 'UpdateExpression'): UpdateNode => {
  const node = parseUpdateText(new TokenReader(kind, text));
  checkUpdate(node);
  return node;
});

/**
 * Parses a projection: paths between commas.
 *
 * @throws ValidationException for what is wrong with it whatever the names are.
 */
export const parseProjection = remember((text, kind: 'ProjectionExpression'): readonly PathNode[] => {
  const tokens = new TokenReader(kind, text);
  const paths = parseList(tokens, parsePath);
  tokens.expect('end');
  for (const path of paths) checkPath(kind, path);
  return paths;
});
