import { emptyItem, type Item } from '../values/attribute-value.ts';
import { ConditionBinder } from './bind-condition.ts';
import type { Bindings } from './bindings.ts';
import type { Test } from './operators.ts';
import { parseCondition } from './parse.ts';
import { listAttributes, type Path } from './path.ts';

/** The parameter that a condition comes from. */
export type ConditionSource = 'ConditionExpression' | 'FilterExpression' | 'Expected' | 'QueryFilter' | 'ScanFilter';

/** A condition on an item. */
export interface Condition {
  /** Whether it holds; undefined stands for an item that is not there. */
  test(item: Item | undefined): boolean;
  /** The names of the top-level attributes that it mentions. */
  readonly attributes: readonly string[];
  /** The document paths that it mentions. */
  readonly paths: readonly Path[];
  readonly source: ConditionSource;
}

const nothing = emptyItem();

/** A condition of a test. */
export function conditionOf(test: Test, paths: readonly Path[], source: ConditionSource): Condition {
  return { test: (item) => test(item ?? nothing), attributes: listAttributes(paths), paths, source };
}

/**
 * Compiles a ConditionExpression or a FilterExpression.
 *
 * @throws ValidationException when it is not valid, or the bindings do not fit it.
 */
export function compileCondition(
  text: string,
  kind: 'ConditionExpression' | 'FilterExpression',
  bindings: Bindings,
): Condition {
  const node = parseCondition(text, kind);
  const binder = new ConditionBinder(kind, bindings);
  return conditionOf(binder.bind(node), binder.paths, kind);
}
