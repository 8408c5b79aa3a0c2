import type { KeyRange } from '../reading/range.ts';
import type { Bound } from '../storage/item-store.ts';

/** Every sort key. */
export const everything: readonly KeyRange[] = [{}];

/** The intersection of two lists of ranges. */
export function intersect(left: readonly KeyRange[], right: readonly KeyRange[]): readonly KeyRange[] {
  return left.flatMap((one) => right.map((other) => overlapOf(one, other)).filter((range) => range !== undefined));
}

/** The union of two lists of ranges: ranges that do not overlap, in order. */
export function unite(left: readonly KeyRange[], right: readonly KeyRange[]): readonly KeyRange[] {
  const united: KeyRange[] = [];
  for (const range of [...left, ...right].sort((one, other) => compareStarts(one.from, other.from))) {
    const last = united.at(-1);
    if (last === undefined || isApart(last.to, range.from)) united.push(range);
    else united[united.length - 1] = { from: last.from, to: compareEnds(last.to, range.to) < 0 ? range.to : last.to };
  }
  return united;
}

/** The intersection of two ranges; undefined if it is empty. */
export function overlapOf(one: KeyRange, other: KeyRange): KeyRange | undefined {
  const from = compareStarts(one.from, other.from) < 0 ? other.from : one.from;
  const to = compareEnds(one.to, other.to) < 0 ? one.to : other.to;
  if (from === undefined || to === undefined) return { from, to };
  const order = Buffer.compare(from.bytes, to.bytes);
  return order < 0 || (order === 0 && from.inclusive && to.inclusive) ? { from, to } : undefined;
}

function compareStarts(one: Bound | undefined, other: Bound | undefined): number {
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined);
  return Buffer.compare(one.bytes, other.bytes) || Number(other.inclusive) - Number(one.inclusive);
}

function compareEnds(one: Bound | undefined, other: Bound | undefined): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  return Buffer.compare(one.bytes, other.bytes) || Number(one.inclusive) - Number(other.inclusive);
}

/** Whether a range that ends here and one that starts there neither overlap nor touch. */
function isApart(end: Bound | undefined, start: Bound | undefined): boolean {
  if (end === undefined || start === undefined) return false;
  const order = Buffer.compare(end.bytes, start.bytes);
  return order < 0 || (order === 0 && !end.inclusive && !start.inclusive);
}
