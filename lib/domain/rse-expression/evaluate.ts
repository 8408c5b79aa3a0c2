import type { Rse } from '../../store/entities/rse.ts';
import { columns } from './columns.ts';
import { type Comparison, type Expression, fold, type Operator, type Primitive } from './expression.ts';
import { FleetIndex } from './fleet-index.ts';
import { parseNumber } from './number.ts';
import { RseSet } from './rse-set.ts';

/** On the bits of two sets. */
const operations: Readonly<Record<Operator, (left: number, right: number) => number>> = {
  '|': (left, right) => left | right,
  '&': (left, right) => left & right,
  '\\': (left, right) => left & ~right,
};

/**
 * The RSEs that an expression stands for, in the order in which they are given; there may be none (spec/rses.md 5.2,
 * 5.3).
 *
 * @param live The RSEs that are not disabled.
 * @throws InvalidObject (400) when a column is compared with what it cannot hold.
 */
export function evaluate(expression: Expression, live: readonly Rse[]): Rse[] {
  const index = FleetIndex.of(live);
  const found = fold<RseSet>(expression, {
    primitive: (primitive) => new RseSet(live.length, positionsOf(primitive, index)),
    operation: (operator, left, right) => left.combine(right, operations[operator]),
  });
  return live.filter((_rse, position) => found.has(position));
}

function positionsOf(primitive: Primitive, index: FleetIndex): readonly number[] {
  switch (primitive.kind) {
    case 'everything':
      return index.everything();
    case 'tag':
      return equalTo(primitive.key, true, index);
    case 'comparison':
      return primitive.comparator === '=' ? equalTo(primitive.key, primitive.value, index) : beyond(primitive, index);
  }
}

function equalTo(key: string, value: string | true, index: FleetIndex): readonly number[] {
  const column = columns.get(key);
  if (column === undefined) return index.withAttribute(key, toAttribute(value));
  const wanted = column.wanted(value);
  return wanted === undefined ? [] : index.inColumn(key, wanted);
}

/** Attributes hold true and false as booleans, however they were written. */
function toAttribute(value: string | true): string | boolean {
  const lower = String(value).toLowerCase();
  return lower === 'true' || lower === 'false' ? lower === 'true' : value;
}

function beyond({ key, comparator, value }: Comparison, index: FleetIndex): number[] {
  const bound = parseNumber(value) ?? Number.NaN;
  const isBeyond = (number: number) => (comparator === '<' ? number < bound : number > bound);
  return index.numbersOf(key).flatMap(({ number, positions }) => (isBeyond(number) ? positions : []));
}
