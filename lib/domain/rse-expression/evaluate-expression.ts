import { parsePythonFloat } from '../../python/float.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { type Expression, reduceExpression, type Operator, type Primitive } from './expression.ts';
import { FleetIndex } from './fleet-index.ts';
import { rseColumns } from './rse-columns.ts';
import type { RseSet } from './rse-set.ts';

/** The operators on the bits of two sets. */
const operations: Readonly<Record<Operator, (left: number, right: number) => number>> = {
  '|': (left, right) => left | right,
  '&': (left, right) => left & right,
  '\\': (left, right) => left & ~right,
};

/**
 * The RSEs of an expression, in the given order; there may be none (spec/rses.md 5.2, 5.3).
 *
 * @param live The RSEs that are not disabled.
 * @throws InvalidObject (400) when a value is not valid for its column.
 */
export function evaluateExpression(expression: Expression, live: readonly Rse[]): Rse[] {
  const index = FleetIndex.of(live);
  const found = reduceExpression<RseSet>(expression, {
    primitive: (primitive) => setOf(primitive, index),
    operation: (operator, left, right) => left.combine(right, operations[operator]),
  });
  return live.filter((_rse, position) => found.has(position));
}

function setOf(primitive: Primitive, index: FleetIndex): RseSet {
  switch (primitive.kind) {
    case 'everything':
      return index.everything();
    case 'tag':
      return equalTo(primitive.key, true, index);
    case 'comparison': {
      const { key, comparator, value } = primitive;
      if (comparator === '=') return equalTo(key, value, index);
      return index.beyond(key, comparator, parsePythonFloat(value) ?? Number.NaN);
    }
  }
}

function equalTo(key: string, value: string | true, index: FleetIndex): RseSet {
  const column = rseColumns.get(key);
  if (column === undefined) return index.withAttribute(key, toAttribute(value));
  const wanted = column.wanted(value);
  return wanted === undefined ? index.nothing() : index.inColumn(key, wanted);
}

/** Attributes store true and false as booleans, whatever their spelling. */
function toAttribute(value: string | true): string | boolean {
  const lower = String(value).toLowerCase();
  return lower === 'true' || lower === 'false' ? lower === 'true' : value;
}
