import { defined } from '../../defined.ts';
import { parseJson } from '../../json.ts';
import { pythonText } from '../values/python-text.ts';
import { type Pattern, readPattern } from './pattern.ts';

/** One of several patterns has to match at the start of a text; those that cannot be read are left out. */
export type Patterns = readonly Pattern[];

/** What DIDs have to be like, all of it, as it is compared (spec/access.md 3.7). What is absent is not asked for. */
export interface SubscriptionFilter {
  /** Of the name: one of them. */
  readonly pattern?: Patterns;
  /** Of the name: it must not match. */
  readonly excludedPattern?: Patterns;
  readonly scope?: Patterns;
  /** The account of the DID is one of them. */
  readonly accounts?: ReadonlySet<string>;
  /** Names of types, such as `DATASET`. */
  readonly types?: ReadonlySet<string>;
  /** Bounds of the bytes a file on average; they do not count where a DID has no files or no bytes. */
  readonly leastFileSize?: number;
  readonly greatestFileSize?: number;
  /** Not a test: each rule is split into one for each RSE. */
  readonly splitRule: boolean;
  /** Of the text form of a column of the DID, by its name on the wire; a name that is no column matches nothing. */
  readonly columns: ReadonlyMap<string, Patterns>;
}

/**
 * Reads the filter of a subscription.
 *
 * @param text JSON, as it is kept.
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
    leastFileSize: numberOf(take('min_avg_file_size')),
    greatestFileSize: numberOf(take('max_avg_file_size')),
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
