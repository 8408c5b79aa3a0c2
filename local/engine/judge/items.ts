import type { AttributeValue, Item } from '../src/values/attribute-value.ts';
import { itemSize } from '../src/values/size.ts';
import type { Random } from './random.ts';
import { heavyPartition, type JudgedIndex, type JudgedTable, tiedPartition } from './tables.ts';
import { attributeNames, usualValue } from './values.ts';

/** Bytes that an item may have. */
const maxItemBytes = 400 * 1024;

/** An item with this key. */
export function anyItem(random: Random, table: JudgedTable, key: Item): Item {
  const item: Item = { ...key };
  for (const index of table.indexes) {
    if (random.chance(0.75)) Object.assign(item, indexKey(random, table, index, key));
  }
  const attributes = random.some(attributeNames, 0, 6);
  // An assignment would set the prototype for the name `__proto__`.
  const all = Object.fromEntries([
    ...Object.entries(item),
    ...attributes.map((name) => [name, usualValue(random, name)] as const),
  ]);
  const bytes = sizeToReach(random, key);
  return bytes === 0 ? all : { ...all, pad: padding(random, bytes - itemSize(all) - 'pad'.length) };
}

/** The attributes that are keys of an index, sometimes only one of two, rarely of the wrong type. */
export function indexKey(random: Random, table: JudgedTable, index: JudgedIndex, key: Item): Item {
  const partition: AttributeValue = index.local
    ? (key[index.hash.name] ?? { S: '' })
    : { S: random.pick(['p0', 'p1', tiedPartition]) };
  const isTied = 'S' in partition && partition.S === tiedPartition;
  const range = isTied ? tiedRange(random, index) : uniqueRange(random, table, index, key);
  const wrong = random.pick<AttributeValue>([{ BOOL: true }, { S: '' }, { L: [] }, ...numbersUnless(index)]);
  return {
    ...(index.local || random.chance(0.04) ? {} : { [index.hash.name]: partition }),
    ...(random.chance(0.04) ? {} : { [index.range.name]: random.chance(0.02) ? wrong : range }),
  };
}

/** A number, unless it is a valid sort key of the index: several items would then share it. */
const numbersUnless = ({ range }: JudgedIndex): AttributeValue[] => (range.type === 'N' ? [] : [{ N: '3' }]);

function tiedRange(random: Random, { range }: JudgedIndex): AttributeValue {
  return range.type === 'N' ? { N: String(random.integer(0, 2)) } : { S: `t${random.integer(0, 2)}` };
}

/** A unique sort key, but not always in the order of the table's keys. */
function uniqueRange(random: Random, table: JudgedTable, { range }: JudgedIndex, key: Item): AttributeValue {
  const ranges = table.ranges.findIndex((value) => JSON.stringify(value) === JSON.stringify(rangeOf(table, key)));
  const major = random.integer(0, 5);
  if (range.type === 'N') return { N: `${major}.${String(ranges + 10)}` };
  return { S: `${major}#${textOf(key[table.hash.name])}#${ranges}` };
}

function rangeOf({ range }: JudgedTable, key: Item): AttributeValue | undefined {
  return range === undefined ? undefined : key[range.name];
}

function textOf(value: AttributeValue | undefined): string {
  return value !== undefined && 'S' in value ? value.S : '';
}

/** The intended size of the item; 0 for the size of its attributes. */
function sizeToReach(random: Random, key: Item): number {
  const isHeavy = Object.values(key).some((value) => textOf(value) === heavyPartition);
  if (isHeavy && random.chance(0.6)) return random.integer(60_000, 190_000);
  return random.weighted([
    [900, 0],
    [80, random.integer(500, 9_000)],
    [12, random.integer(20_000, 110_000)],
    [3, random.integer(380 * 1024, 420 * 1024)],
    [3, maxItemBytes + random.integer(-2, 2)],
  ]);
}

/** A value of about this size. */
function padding(random: Random, bytes: number): AttributeValue {
  const length = Math.max(bytes, 0);
  if (random.chance(0.8)) return { S: 'x'.repeat(length) };
  return { B: Buffer.alloc(length, 7).toString('base64') };
}
