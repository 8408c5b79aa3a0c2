const spellings = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  [1, true],
  [0, false],
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

/** All spellings; texts in lower case. */
export const booleanSpellings: readonly unknown[] = [...spellings.keys()];

/** Reads Rucio's spellings of a boolean: JSON booleans, 0 and 1, and their texts in any case (spec/dids.md 1.7). */
export function readBoolean(value: unknown): boolean | undefined {
  return spellings.get(typeof value === 'string' ? value.toLowerCase() : value);
}
