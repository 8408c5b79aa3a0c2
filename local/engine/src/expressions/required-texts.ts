import type { AttributeValue } from '../values/attribute-value.ts';
import { printAttribute } from '../values/item-text.ts';
import { bindPath } from './bind.ts';
import type { Bindings } from './bindings.ts';
import type { ConditionNode, OperandNode } from './syntax.ts';

/** To parse an item takes as long as to look for six texts in it. */
const maxTexts = 5;

/**
 * Texts of which the plain text of an item contains one if the item meets a filter, so that other items need no parsing.
 * Undefined if the filter gives none, or too many of them.
 *
 * @param node A filter that was bound without an error.
 */
export function findRequiredTexts(node: ConditionNode, bindings: Bindings): readonly string[] | undefined {
  switch (node.type) {
    case 'AND':
      return findRequiredTexts(node.left, bindings) ?? findRequiredTexts(node.right, bindings);
    case 'OR': {
      const [left, right] = [findRequiredTexts(node.left, bindings), findRequiredTexts(node.right, bindings)];
      return left === undefined || right === undefined ? undefined : limit([...left, ...right]);
    }
    case 'IN': {
      const [attribute, ...values] = node.operands;
      return attribute === undefined ? undefined : textsOf(attribute, values, bindings);
    }
    case 'comparison': {
      const [left, right] = node.operands;
      if (node.operator !== '=') return undefined;
      return textsOf(left, [right], bindings) ?? textsOf(right, [left], bindings);
    }
    default:
      return undefined;
  }
}

/** The texts of an attribute with one of some values; undefined if something else is compared. */
function textsOf(
  attribute: OperandNode,
  values: readonly OperandNode[],
  bindings: Bindings,
): readonly string[] | undefined {
  const name = nameOf(attribute, bindings);
  if (name === undefined) return undefined;
  const texts = values.flatMap((operand) => {
    const value = operand.type === 'value' ? bindings.value(operand.name) : undefined;
    return value !== undefined && hasOneText(value) ? printAttribute(name, value) : [];
  });
  return texts.length < values.length ? undefined : limit(texts);
}

/** The name of an operand that is an attribute of the item. */
function nameOf(operand: OperandNode, bindings: Bindings): string | undefined {
  if (operand.type !== 'path') return undefined;
  const [name, ...rest] = bindPath('FilterExpression', operand, bindings);
  return rest.length === 0 ? (name as string) : undefined;
}

/** Whether equal values have the same plain text: the engine stores numbers normalised. */
const hasOneText = (value: AttributeValue) => 'S' in value || 'N' in value;

const limit = (texts: readonly string[]) => (texts.length > maxTexts ? undefined : texts);
