import { invalid } from '../errors.ts';
import { type KeyRange, rangeOf } from '../reading/range.ts';
import type { AttributeValue } from '../values/attribute-value.ts';
import { encodeKeyValue, type KeyAttributes, listKeyAttributes } from '../values/key.ts';
import type { Binding } from './bind.ts';
import { type KeyTest, keyTestOf, listJoined, listTests, requireKeyValue } from './key-tests.ts';
import { everything, intersect, overlapOf, unite } from './ranges.ts';
import type { Node } from './syntax.ts';

/** Items with one hash key that a condition can hold for. */
export interface Segment {
  readonly hash: Buffer;
  /** Ranges apart from one another, in their order. */
  readonly ranges: readonly KeyRange[];
}

interface KeyedCondition {
  readonly keys: KeyAttributes;
  readonly binding: Binding;
}

/**
 * Finds the keys of the items that a condition can hold for.
 *
 * @returns undefined when that may be any hash key, so that all items must be read.
 * @throws ValidationException when values do not suit the keys.
 */
export function coverKeys(where: Node | undefined, keyed: KeyedCondition): readonly Segment[] | undefined {
  const hashes = where === undefined ? undefined : hashesOf(where, keyed);
  if (where === undefined) return undefined;
  requireKeyOperands(where, keyed, hashes !== undefined);
  // Hash keys of several attributes are not looked for.
  if (hashes === undefined || keyed.keys.more !== undefined) return undefined;
  refuseOverlaps(where, keyed);
  return listDistinct(hashes).map((hash) => ({ hash, ranges: rangesOf(where, hash, keyed) }));
}

function listDistinct(values: readonly AttributeValue[]): Buffer[] {
  const sorted = values.map(encodeKeyValue).sort((one, other) => Buffer.compare(one, other));
  return sorted.filter((hash, i) => sorted[i - 1]?.equals(hash) !== true);
}

/** The values of the hash key that a condition can hold for; undefined: any. */
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

/** The sort keys that a condition can hold for, among items with one hash key. */
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
      throw invalid(
        `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: ${name}`,
      );
    }
    for (const node of listTests(where)) {
      const test = keyTestOf(node, name, binding);
      for (const value of test?.values ?? []) {
        if (isQuery && test?.operator !== '<>') requireKeyValue(attribute, value);
        else if (!Object.hasOwn(value, type)) {
          throw invalid(
            'One or more parameter values were invalid: Condition parameter type does not match schema type',
          );
        }
      }
    }
  }
}

/** Alternatives with one hash key must not meet in their sort keys; those that only exclude sort keys may. */
function refuseOverlaps(where: Node, keyed: KeyedCondition): void {
  const alternatives = listJoined(where, 'or')
    .map((node) => describeAlternative(node, keyed))
    .filter(({ excludes }) => !excludes);
  for (const [at, one] of alternatives.entries()) {
    for (const other of alternatives.slice(0, at)) {
      if ((one.selects || other.selects) && meet(one.node, other.node, keyed)) {
        throw invalid('Overlapping conditions with range keys are not supported in where clause');
      }
    }
  }
}

/** A part of a condition that joins parts by OR. */
interface Alternative {
  readonly node: Node;
  /** It says which sort keys it wants. */
  readonly selects: boolean;
  /** It only says which sort keys it does not want. */
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

function meet(one: Node, other: Node, keyed: KeyedCondition): boolean {
  const hashes = hashesOf(one, keyed) ?? [];
  return listDistinct(hashes).some((hash) =>
    rangesOf(one, hash, keyed).some((range) =>
      rangesOf(other, hash, keyed).some((second) => overlapOf(range, second) !== undefined),
    ),
  );
}
