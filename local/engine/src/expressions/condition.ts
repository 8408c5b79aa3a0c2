import { emptyItem, type Item } from '../values/attribute-value.ts';
import { ConditionBinder } from './bind-condition.ts';
import type { Bindings } from './bindings.ts';
import type { Test } from './operators.ts';
import { parseCondition } from './parse.ts';
import { listAttributes, type Path } from './path.ts';
import { findRequiredTexts } from './required-texts.ts';

/** The parameter that contains a condition. */
export type ConditionSource = 'ConditionExpression' | 'FilterExpression' | 'Expected' | 'QueryFilter' | 'ScanFilter';

/** A condition on an item. */
export interface Condition {
  /** Whether the condition is true; undefined stands for a missing item. */
  test(item: Item | undefined): boolean;
  /** The top-level attributes that it refers to. */
  readonly attributes: readonly string[];
  /** The document paths that it refers to. */
  readonly paths: readonly Path[];
  readonly source: ConditionSource;
  /** For a filter: the plain text of each item that passes contains at least one of these texts. Absent: none are known. */
  readonly requiredTexts?: readonly string[] | undefined;
}

const nothing = emptyItem();

/** Makes a condition from a test. */
export function conditionOf(test: Test, paths: readonly Path[], source: ConditionSource): Condition {
  return { test: (item) => test(item ?? nothing), attributes: listAttributes(paths), paths, source };
}

/**
 * Compiles a ConditionExpression or a FilterExpression.
 *
 * @throws ValidationException if it is invalid, or does not match the bindings.
 */
export function compileCondition(
  text: string,
  kind: 'ConditionExpression' | 'FilterExpression',
  bindings: Bindings,
): Condition {
  const node = parseCondition(text, kind);
  const binder = new ConditionBinder(kind, bindings);
  const condition = conditionOf(binder.bind(node), binder.paths, kind);
  return kind === 'FilterExpression' ? { ...condition, requiredTexts: findRequiredTexts(node, bindings) } : condition;
}
