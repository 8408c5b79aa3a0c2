import { shellWord } from '../format.ts';

/** The comparisons of a search, with their suffix on the wire. */
export const comparisons = [
  ['=', ''],
  ['≠', '.ne'],
  ['<', '.lt'],
  ['≤', '.lte'],
  ['>', '.gt'],
  ['≥', '.gte'],
] as const;

/** One condition of a search. */
export interface Condition {
  readonly key: string;
  readonly comparison: (typeof comparisons)[number][0];
  readonly value: string;
}

const written: Readonly<Record<Condition['comparison'], string>> = {
  '=': '=',
  '≠': '!=',
  '<': '<',
  '≤': '<=',
  '>': '>',
  '≥': '>=',
};

/** Writes a condition as the official client does. */
export function writeCondition({ key, comparison, value }: Condition): string {
  return `${key}${written[comparison]}${value}`;
}

/** Reads a condition that {@link writeCondition} wrote; anything else is a key without a value. */
export function readCondition(text: string): Condition {
  const [, key = '', sign = '=', value = ''] = /^([^=<>!]*)(!=|<=|>=|=|<|>)?(.*)$/s.exec(text) ?? [];
  const comparison = comparisons.find(([name]) => written[name] === sign)?.[0] ?? '=';
  return { key, comparison, value };
}

/** The dates of a search are keys of their own, not columns. */
const dateKeys: Readonly<Record<string, string>> = { created_after: '', created_before: '' };

/** The query of conditions on the wire. */
export function toQuery(conditions: readonly Condition[]): Record<string, string> {
  return Object.fromEntries(
    conditions.map(({ key, comparison, value }) => {
      const suffix = comparisons.find(([name]) => name === comparison)?.[1] ?? '';
      return key in dateKeys ? [key, toDate(value)] : [`${key}${suffix}`, value];
    }),
  );
}

/** A day, or a moment, as the service reads it. */
function toDate(value: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00` : value;
}

/** The option of `rucio did list` for conditions; empty without any. */
export function toRucioFilter(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` --filter ${shellWord(conditions.join(','))}`;
}
