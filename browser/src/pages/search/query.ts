import { shellWord } from '../../format.ts';

/** Keys that every catalogue has. */
export const commonKeys = [
  'run_number',
  'datatype',
  'campaign',
  'task_id',
  'project',
  'stream_name',
  'prod_step',
  'version',
  'length',
  'bytes',
  'events',
  'guid',
  'created_after',
  'created_before',
];

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

const writtenSigns = Object.entries(written) as [Condition['comparison'], string][];

/** Where a condition begins in a text: its key and its comparison, at the start or behind a blank or a comma. */
const conditionStart = /(?:^|[\s,])([A-Za-z_][\w.-]*)\s*(!=|<=|>=|[≠≤≥=<>])\s*/g;

/**
 * Splits what was typed into the pattern of a DID and the conditions behind it, such as `example:data.* size > 40 GB and
 * run_number = 358031`.
 */
export function splitSearch(text: string): { readonly pattern: string; readonly conditions: readonly Condition[] } {
  const starts = [...text.matchAll(conditionStart)];
  const conditions = starts.map((start, i): Condition => {
    const [whole, key = '', sign = '='] = start;
    const value = text.slice(start.index + whole.length, starts[i + 1]?.index);
    const comparison = writtenSigns.find((names) => names.includes(sign))?.[0] ?? '=';
    return { key, comparison, value: value.replace(/(\s+and|,)\s*$/i, '').trim() };
  });
  return { pattern: text.slice(0, starts[0]?.index).trim(), conditions };
}

const prefixes = ['', 'k', 'm', 'g', 't', 'p', 'e'];
const countKeys: ReadonlySet<string> = new Set(['length', 'events']);

/**
 * A condition in the words of the interface: sizes and counts with units as integers. `size` with a unit is `bytes`. What
 * cannot be read stays, for the interface to refuse.
 */
export function resolveCondition(condition: Condition): Condition {
  const { key, value } = condition;
  const [, number = '', prefix = '', binary, unit] =
    /^(\d+(?:\.\d+)?)\s*(?:([kmgtpe])(i)?)?(b|bytes?)?$/i.exec(value.replaceAll(/(?<=\d)[,_ ](?=\d)/g, '')) ?? [];
  const isSize = key === 'bytes' || (key === 'size' && (prefix !== '' || unit !== undefined));
  const isCount = countKeys.has(key) && unit === undefined;
  if (number === '' || !(isSize || isCount)) return condition;
  const factor = (binary === undefined ? 1_000 : 1_024) ** prefixes.indexOf(prefix.toLowerCase());
  // An integer without a prefix is kept as it is: it may be larger than a number holds.
  const whole = factor === 1 && !number.includes('.') ? number : String(BigInt(Math.round(Number(number) * factor)));
  return { ...condition, key: isSize ? 'bytes' : key, value: whole };
}

/** Why a condition on `size` is none on `bytes`. */
export type SizeMistake = 'no unit' | 'unknown unit' | 'no number';

/** Tells what {@link resolveCondition} could not read in a condition on `size`; undefined for any other condition. */
export function findSizeMistake({ key, value }: Condition): SizeMistake | undefined {
  if (key !== 'size' || value === '') return undefined;
  if (/^\d[\d.,_ ]*$/.test(value)) return 'no unit';
  return /^\d[\d.,_ ]*[a-z]+$/i.test(value) ? 'unknown unit' : 'no number';
}

/** Whether a text joins conditions, or values, by `or`. */
export function hasOr(text: string): boolean {
  return /\sor(\s|$)/i.test(text);
}

/** Whether two keys differ by one letter: another one, one more, or two that have changed places. */
export function isOneEditAway(one: string, other: string): boolean {
  let begin = 0;
  while (begin < one.length && one[begin] === other[begin]) begin += 1;
  let [end, otherEnd] = [one.length, other.length];
  while (end > begin && otherEnd > begin && one[end - 1] === other[otherEnd - 1]) {
    end -= 1;
    otherEnd -= 1;
  }
  const [changed, otherChanged] = [one.slice(begin, end), other.slice(begin, otherEnd)];
  return (
    Math.max(changed.length, otherChanged.length) <= 1 ||
    (changed.length === 2 && changed === `${otherChanged[1]}${otherChanged[0]}`)
  );
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
