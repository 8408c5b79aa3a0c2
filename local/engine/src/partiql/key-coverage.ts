import { validationError } from '../errors.ts';
import { wrongConditionTypeError } from '../expressions/key-terms.ts';
import { keyPathError } from '../items/check-item.ts';
import { type KeyRange, rangeOf } from '../reading/range.ts';
import type { AttributeValue } from '../values/attribute-value.ts';
import { encodeKeyValue, type KeyAttributes, listKeyAttributes } from '../values/key.ts';
import type { Binding } from './bind.ts';
import { type KeyTest, keyTestOf, listJoined, listTests, requireKeyValue } from './key-tests.ts';
import { everything, intersect, overlapOf, unite } from './ranges.ts';
import type { Node } from './syntax.ts';

/** A set of items with one hash key that may match a condition. */
export interface Segment {
  readonly hash: Buffer;
  /** Ranges that do not overlap, in order. */
  readonly ranges: readonly KeyRange[];
}

interface KeyedCondition {
  readonly keys: KeyAttributes;
  readonly binding: Binding;
}

/**
 * Finds the keys of all items that may match a condition.
 *
 * @returns undefined if that can be any hash key, so that all items must be read.
 * @throws ValidationException if values do not match the keys.
 */
export function coverKeys(where: Node | undefined, keyed: KeyedCondition): readonly Segment[] | undefined {
  const hashes = where === undefined ? undefined : hashesOf(where, keyed);
  if (where === undefined) return undefined;
  requireKeyOperands(where, keyed, hashes !== undefined);
  // Hash keys of several attributes are not supported here.
  if (hashes === undefined || keyed.keys.more !== undefined) return undefined;
  requireNoOverlaps(where, keyed);
  return listDistinct(hashes).map((hash) => ({ hash, ranges: rangesOf(where, hash, keyed) }));
}

function listDistinct(values: readonly AttributeValue[]): Buffer[] {
  const sorted = values.map(encodeKeyValue).sort((one, other) => Buffer.compare(one, other));
  return sorted.filter((hash, i) => sorted[i - 1]?.equals(hash) !== true);
}

/** The hash keys that may match a condition; undefined: any. */
function hashesOf(node: Node, keyed: KeyedCondition): readonly AttributeValue[] | undefined {
  const { keys, binding } = keyed;
  if (node.type === 'operator' && (node.operator === 'and' || node.operator === 'or')) {
    const [left, right] = node.operands.map((operand) => hashesOf(operand, keyed));
    if (node.operator === 'and') return left ?? right;
    return left === undefined || right === undefined ? undefined : [...left, ...right];
  }
  const test = keyTestOf(node, keys.hash.name, binding);
  if (test?.operator !== '=' && test?.operator !== 'IN') return undefined;
  for (const value of test.values) requireKeyValue(keys.hash, value);
  return test.values;
}

/** The sort keys with one hash key that may match a condition. */
function rangesOf(node: Node, hash: Buffer, keyed: KeyedCondition): readonly KeyRange[] {
  const { keys, binding } = keyed;
  if (node.type === 'operator' && (node.operator === 'and' || node.operator === 'or')) {
    const [left = everything, right = everything] = node.operands.map((operand) => rangesOf(operand, hash, keyed));
    return node.operator === 'and' ? intersect(left, right) : unite(left, right);
  }
  const ofHash = keyTestOf(node, keys.hash.name, binding);
  if (ofHash?.operator === '=' || ofHash?.operator === 'IN') {
    return ofHash.values.some((value) => encodeKeyValue(value).equals(hash)) ? everything : [];
  }
  const test = keys.range === undefined ? undefined : keyTestOf(node, keys.range.name, binding);
  return test === undefined ? everything : rangesOfTest(test);
}

function rangesOfTest({ operator, values }: KeyTest): readonly KeyRange[] {
  const [first] = values;
  if (operator === '<>' || first === undefined) return everything;
  if (operator !== 'IN') return [rangeOf({ hash: first, range: { operator, values } })];
  return values
    .map((value) => [rangeOf({ hash: value, range: { operator: '=', values: [value] } })])
    .reduce<readonly KeyRange[]>(unite, []);
}

function requireKeyOperands(where: Node, { keys, binding }: KeyedCondition, isQuery: boolean): void {
  for (const attribute of listKeyAttributes(keys)) {
    const { name, type } = attribute;
    if (binding.paths.some((path) => path.length > 1 && path[0] === name)) {
      throw keyPathError('Key', name);
    }
    for (const node of listTests(where)) {
      const test = keyTestOf(node, name, binding);
      for (const value of test?.values ?? []) {
        if (isQuery && test?.operator !== '<>') requireKeyValue(attribute, value);
        else if (!Object.hasOwn(value, type)) {
          throw wrongConditionTypeError();
        }
      }
    }
  }
}

/** Alternatives with the same hash key must not overlap in their sort keys; those that only exclude sort keys may. */
function requireNoOverlaps(where: Node, keyed: KeyedCondition): void {
  const alternatives = listJoined(where, 'or')
    .map((node) => describeAlternative(node, keyed))
    .filter(({ excludes }) => !excludes);
  for (const [at, one] of alternatives.entries()) {
    for (const other of alternatives.slice(0, at)) {
      if ((one.selects || other.selects) && overlap(one.node, other.node, keyed)) {
        throw validationError('Overlapping conditions with range keys are not supported in where clause');
      }
    }
  }
}

/** A part of a condition that is joined by OR. */
interface Alternative {
  readonly node: Node;
  /** It selects sort keys. */
  readonly selects: boolean;
  /** It only excludes sort keys. */
  readonly excludes: boolean;
}

function describeAlternative(node: Node, { keys, binding }: KeyedCondition): Alternative {
  const { range } = keys;
  if (range === undefined) return { node, selects: false, excludes: false };
  const operatorOf = (test: Node) => keyTestOf(test, range.name, binding)?.operator;
  const selects = listJoined(node, 'and')
    .map(operatorOf)
    .some((operator) => operator !== undefined && operator !== '<>');
  return { node, selects, excludes: !selects && listTests(node).some((test) => operatorOf(test) !== undefined) };
}

function overlap(one: Node, other: Node, keyed: KeyedCondition): boolean {
  const hashes = hashesOf(one, keyed) ?? [];
  return listDistinct(hashes).some((hash) =>
    rangesOf(one, hash, keyed).some((range) =>
      rangesOf(other, hash, keyed).some((second) => overlapOf(range, second) !== undefined),
    ),
  );
}
