import type { Item } from '../src/values/attribute-value.ts';
import { anyPath, writeName } from './expressions.ts';
import { indexKey } from './items.ts';
import type { Random } from './random.ts';
import type { Placeholders } from './request.ts';
import type { JudgedTable } from './tables.ts';
import { anyNumber, anyValue, usualValue } from './values.ts';

/** An update expression for the item with this key. */
export function anyUpdate(random: Random, placeholders: Placeholders, table: JudgedTable, key: Item): string {
  const clauses = new Map<string, string[]>();
  const add = (clause: string, action: string) => clauses.set(clause, [...(clauses.get(clause) ?? []), action]);
  for (let count = random.integer(1, 3); count > 0; count -= 1) add(...anyAction(random, placeholders));
  if (random.chance(0.3) && table.indexes.length > 0) moveInIndex(random, placeholders, table, key, add);
  if (random.chance(0.01))
    add('SET', `${writeName(random, placeholders, table.hash.name)} = ${placeholders.value({ S: 'a' })}`);
  return [...clauses].map(([clause, actions]) => `${clause} ${actions.join(', ')}`).join(' ');
}

function anyAction(random: Random, placeholders: Placeholders): [clause: string, action: string] {
  const path = () => anyPath(random, placeholders);
  const named = (name: string) => writeName(random, placeholders, name);
  return random.weighted<() => [string, string]>([
    [8, () => ['SET', setUsual(random, placeholders)]],
    [3, () => ['SET', `${path()} = ${placeholders.value(anyValue(random))}`]],
    [2, () => ['SET', `${path()} = ${path()}`]],
    [4, () => ['SET', `${path()} = ${sum(random, placeholders)}`]],
    [2, () => ['SET', `${path()} = if_not_exists(${path()}, ${placeholders.value(anyValue(random))})`]],
    [2, () => ['SET', `${named('list')} = ${appended(random, placeholders)}`]],
    [5, () => ['REMOVE', path()]],
    [3, () => ['ADD', `${named(random.pick(['n', 'm']))} ${placeholders.value(anyNumber(random))}`]],
    [3, () => ['ADD', changeSet(random, placeholders)]],
    [3, () => ['DELETE', changeSet(random, placeholders)]],
  ])();
}

function setUsual(random: Random, placeholders: Placeholders): string {
  const name = random.pick(['n', 's', 'list', 'map', 'texts', 'numbers', 'flag', 'batch', 'name', '__proto__']);
  return `${writeName(random, placeholders, name)} = ${placeholders.value(usualValue(random, name))}`;
}

function sum(random: Random, placeholders: Placeholders): string {
  const name = writeName(random, placeholders, random.pick(['n', 'm', 'n', 's']));
  const start = () => placeholders.value(anyNumber(random));
  const operand = random.chance(0.5) ? name : `if_not_exists(${name}, ${start()})`;
  return `${operand} ${random.pick(['+', '-'])} ${placeholders.value(anyNumber(random))}`;
}

function appended(random: Random, placeholders: Placeholders): string {
  const name = writeName(random, placeholders, 'list');
  const value = placeholders.value(random.chance(0.9) ? { L: [anyValue(random, 2)] } : anyValue(random));
  const start = random.chance(0.5) ? name : `if_not_exists(${name}, ${placeholders.value({ L: [] })})`;
  return random.chance(0.5) ? `list_append(${start}, ${value})` : `list_append(${value}, ${start})`;
}

function changeSet(random: Random, placeholders: Placeholders): string {
  const name = random.pick(['texts', 'numbers', 'binaries']);
  return `${writeName(random, placeholders, name)} ${placeholders.value(usualValue(random, name))}`;
}

/** Moves the item within an index, or removes it. */
function moveInIndex(
  random: Random,
  placeholders: Placeholders,
  table: JudgedTable,
  key: Item,
  add: (clause: string, action: string) => unknown,
): void {
  const index = random.pick(table.indexes);
  const names = index.local ? [index.range.name] : [index.hash.name, index.range.name];
  if (random.chance(0.25)) {
    for (const name of random.some(names, 1, 2)) add('REMOVE', placeholders.name(name));
    return;
  }
  for (const [name, value] of Object.entries(indexKey(random, table, index, key))) {
    add('SET', `${placeholders.name(name)} = ${placeholders.value(value)}`);
  }
}
