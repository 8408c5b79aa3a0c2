import type { AttributeValue } from '../values/attribute-value.ts';
import type { Bindings } from './bindings.ts';
import type { Path } from './path.ts';
import type { ExpressionKind, PathNode, ValueNode } from './syntax.ts';
import { invalidExpression } from './token-reader.ts';

const mostLevels = 32;

/**
 * The path that a node means.
 *
 * @throws ValidationException when the request does not define one of its names, or it is too deep.
 */
export function bindPath(kind: ExpressionKind, { steps }: PathNode, bindings: Bindings): Path {
  if (steps.length > mostLevels) {
    throw invalidExpression(kind, `The document path has too many nesting levels; nesting levels: ${steps.length}`);
  }
  return steps.map((step) => {
    if (step.type === 'index') return step.index;
    if (step.type === 'name') return step.name;
    const name = bindings.name(step.alias);
    if (name !== undefined) return name;
    throw invalidExpression(
      kind,
      `An expression attribute name used in the document path is not defined; attribute name: ${step.alias}`,
    );
  });
}

/**
 * The value that a node means.
 *
 * @throws ValidationException when the request does not define it.
 */
export function bindValue(kind: ExpressionKind, { name }: ValueNode, bindings: Bindings): AttributeValue {
  const value = bindings.value(name);
  if (value !== undefined) return value;
  throw invalidExpression(
    kind,
    `An expression attribute value used in expression is not defined; attribute value: ${name}`,
  );
}
