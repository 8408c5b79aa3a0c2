import type { AttributeValue } from '../src/values/attribute-value.ts';
import { isObject } from './normalise.ts';
import type { Random } from './random.ts';
import type { Body, Placeholders } from './request.ts';
import { keyNames, tables } from './tables.ts';
import { anyNumber, anyText, anyValue, attributeNames, usualValue } from './values.ts';

/** Names that an expression may contain directly, unless they are reserved. */
const plain = /^[A-Za-z]\w*$/;
const reserved = new Set(['name', 'list', 'map', 'batch', 'constructor', 'owner', 'at', 'rank']);

/** A name in an expression: as a placeholder, or directly where that is valid, and rarely where it is not. */
export function writeName(random: Random, placeholders: Placeholders, name: string): string {
  const mayBePlain = plain.test(name) && !reserved.has(name);
  if (mayBePlain ? random.chance(0.5) : random.chance(0.004)) return name;
  return placeholders.name(name);
}

/** A path to a value within an item. */
export function anyPath(random: Random, placeholders: Placeholders): string {
  const name = random.pick(attributeNames);
  const root = writeName(random, placeholders, name);
  if (name === 'list')
    return (
      root +
      random.weighted([
        [2, ''],
        [4, `[${random.integer(0, 4)}]`],
        [1, '[0].x'],
      ] as const)
    );
  if (name !== 'map') return root;
  const member = writeName(random, placeholders, random.pick(['x', 'y', 'z', 'name', 'a.b', '__proto__']));
  return (
    root +
    random.weighted([
      [1, ''],
      [4, `.${member}`],
      [1, `.${member}[1]`],
      [1, `.${member}.${member}`],
    ] as const)
  );
}

/** A condition of up to a few terms. */
export function anyCondition(random: Random, placeholders: Placeholders, depth = 0): string {
  const inner = () => anyCondition(random, placeholders, depth + 1);
  if (depth >= 3 || random.chance(0.65)) return anyTerm(random, placeholders);
  return random.weighted<() => string>([
    [4, () => `${inner()} AND ${inner()}`],
    [4, () => `${inner()} OR ${inner()}`],
    [2, () => `NOT ${inner()}`],
    [2, () => `(${inner()})`],
    [1, () => `NOT (${inner()} and ${inner()})`],
  ])();
}

function anyTerm(random: Random, placeholders: Placeholders): string {
  const path = () => anyPath(random, placeholders);
  const operand = () => anyOperand(random, placeholders);
  const value = (content: AttributeValue) => placeholders.value(content);
  const usual = (): [string, string] => {
    const name = random.pick(attributeNames);
    return [writeName(random, placeholders, name), value(usualValue(random, name))];
  };
  return random.weighted<() => string>([
    [8, () => usual().join(` ${anyComparator(random)} `)],
    [3, () => `${operand()} ${anyComparator(random)} ${operand()}`],
    [3, () => `${path()} BETWEEN ${value(anyNumber(random))} AND ${value(anyNumber(random))}`],
    [2, () => `${operand()} IN (${random.some([1, 2, 3], 1, 3).map(operand).join(', ')})`],
    [4, () => `attribute_exists(${path()})`],
    [4, () => `attribute_not_exists(${path()})`],
    [2, () => `attribute_type(${path()}, ${value({ S: random.pick(['S', 'N', 'SS', 'M', 'NULL', 'X']) })})`],
    [2, () => `begins_with(${path()}, ${value(anyText(random))})`],
    [1, () => `begins_with(${operand()}, ${operand()})`],
    [3, () => `contains(${path()}, ${operand()})`],
    [2, () => `size(${path()}) ${anyComparator(random)} ${value({ N: String(random.integer(0, 4)) })}`],
  ])();
}

function anyOperand(random: Random, placeholders: Placeholders): string {
  if (random.chance(0.5)) return anyPath(random, placeholders);
  if (random.chance(0.05)) return `size(${anyPath(random, placeholders)})`;
  return placeholders.value(anyValue(random));
}

function anyComparator(random: Random): string {
  return random.pick(['=', '<>', '<', '<=', '>', '>=']);
}

/** A list of paths; overlapping ones occur. */
export function anyProjection(random: Random, placeholders: Placeholders, keys: readonly string[]): string {
  const paths = Array.from({ length: random.integer(1, 3) }, () => anyPath(random, placeholders));
  const chosen = random.some(keys, 0, 2).map((name) => writeName(random, placeholders, name));
  return [...new Set([...chosen, ...paths])].join(', ');
}

/** The attribute names in an expression, as far as the generator knows them. */
export function namesIn(expression: unknown, { ExpressionAttributeNames: names }: Body): string[] {
  const words = typeof expression === 'string' ? (expression.match(/#?\w+/g) ?? []) : [];
  const known: Body = isObject(names) ? names : {};
  const all = words.map((word) => (word.startsWith('#') ? String(known[word]) : word));
  return all.filter((name) => knownNames.has(name));
}

const knownNames = new Set([...attributeNames, ...tables.flatMap((table) => keyNames(table, true))]);

/** The text with a small mistake. */
export function spoilExpression(random: Random, expression: string): string {
  const at = random.integer(0, expression.length);
  const tokens = ['(', ')', ',', ' AND', '=', '.', '[', '#', ':', '$', ' foo', '"', '1', ':nope', '#nope', ' between'];
  return random.weighted<() => string>([
    [3, () => expression.slice(0, at) + random.pick(tokens) + expression.slice(at)],
    [3, () => expression.slice(0, at) + expression.slice(at + 1)],
    [2, () => expression.split(' ').toSpliced(random.integer(0, 4), 1).join(' ')],
    [1, () => ''],
    [1, () => `${expression} AND nowhere_known(a)`],
    [1, () => expression.replaceAll('(', '((')],
    [1, () => '     '],
  ])();
}
