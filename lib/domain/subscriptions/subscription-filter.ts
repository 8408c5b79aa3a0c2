import { defined } from '../../defined.ts';
import { parseJson } from '../../json.ts';
import { pythonText } from '../../python/text.ts';
import { type Pattern, readPattern } from './pattern.ts';

/** Alternatives: one must match at the start of a text. Invalid ones are left out. */
export type Patterns = readonly Pattern[];

/**
 * The parsed conditions of a filter, all of which a DID must meet (spec/access.md 3.7). Absent members are no
 * condition.
 */
export interface SubscriptionFilter {
  /** For the name. */
  readonly pattern?: Patterns;
  /** For the name, which must not match. */
  readonly excludedPattern?: Patterns;
  readonly scope?: Patterns;
  /** Allowed accounts of the DID. */
  readonly accounts?: ReadonlySet<string>;
  /** Allowed types, such as `DATASET`. */
  readonly types?: ReadonlySet<string>;
  /** Bounds of the mean bytes per file; ignored for a DID without files or bytes. */
  readonly minMeanFileBytes?: number;
  readonly maxMeanFileBytes?: number;
  /** No condition: each rule is split into one per RSE. */
  readonly splitRule: boolean;
  /** For the text form of a column, by its wire name; an unknown name matches nothing. */
  readonly columns: ReadonlyMap<string, Patterns>;
}

/**
 * Parses the filter of a subscription.
 *
 * @param text The stored JSON.
 */
export function readFilter(text: string): SubscriptionFilter {
  const rest = new Map(Object.entries(parseJson(text) as object));
  const take = (key: string): unknown => {
    const value: unknown = rest.get(key);
    rest.delete(key);
    return value;
  };
  const filter = defined({
    pattern: patternsOf(take('pattern')),
    excludedPattern: patternsOf(take('excluded_pattern')),
    scope: patternsOf(take('scope')),
    accounts: wordsOf(take('account')),
    types: wordsOf(take('did_type')),
    minMeanFileBytes: numberOf(take('min_avg_file_size')),
    maxMeanFileBytes: numberOf(take('max_avg_file_size')),
  });
  return {
    ...filter,
    splitRule: take('split_rule') === true,
    columns: new Map(Array.from(rest, ([key, value]) => [key, patternsOf(value) ?? []])),
  };
}

/** A value or a list of values, in Python's text form. */
function textsOf(value: unknown): string[] | undefined {
  return value === undefined ? undefined : [value].flat().map(pythonText);
}

function patternsOf(value: unknown): Patterns | undefined {
  return textsOf(value)?.flatMap((text) => readPattern(text) ?? []);
}

function wordsOf(value: unknown): ReadonlySet<string> | undefined {
  const texts = textsOf(value);
  return texts && new Set(texts);
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  return value === undefined || value === null || Number.isNaN(number) ? undefined : number;
}
