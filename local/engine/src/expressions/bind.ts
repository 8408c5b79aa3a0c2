import type { AttributeValue } from '../values/attribute-value.ts';
import type { Bindings } from './bindings.ts';
import type { Path } from './path.ts';
import type { ExpressionKind, PathNode, ValueNode } from './syntax.ts';
import { invalidExpressionError } from './token-reader.ts';

const maxDepth = 32;

/**
 * The path that a node denotes.
 *
 * @throws ValidationException if one of its names is undefined, or it is too deep.
 */
export function bindPath(kind: ExpressionKind, { steps }: PathNode, bindings: Bindings): Path {
  if (steps.length > maxDepth) {
    throw invalidExpressionError(
      kind,
      `The document path has too many nesting levels; nesting levels: ${steps.length}`,
    );
  }
  return steps.map((step) => {
    if (step.type === 'index') return step.index;
    if (step.type === 'name') return step.name;
    const name = bindings.name(step.alias);
    if (name !== undefined) return name;
    throw invalidExpressionError(
      kind,
      `An expression attribute name used in the document path is not defined; attribute name: ${step.alias}`,
    );
  });
}

/**
 * The value that a node denotes.
 *
 * @throws ValidationException if it is undefined.
 */
export function bindValue(kind: ExpressionKind, { name }: ValueNode, bindings: Bindings): AttributeValue {
  const value = bindings.value(name);
  if (value !== undefined) return value;
  throw invalidExpressionError(
    kind,
    `An expression attribute value used in expression is not defined; attribute value: ${name}`,
  );
}
