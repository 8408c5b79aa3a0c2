import { cachePerTable } from '../../cache.ts';
import { parseNamed } from '../../json-names.ts';
import { log } from '../../log.ts';
import type { Table } from '../../store/batches/table.ts';
import { listOptions } from '../../store/entities/config-option.ts';
import { parseDate } from '../../time.ts';

import policy from '#policy';

/** An option that Dapple acts on. */
interface Declared<T> {
  /** The value when the option is not set, or set to a text that cannot be parsed. */
  readonly fallback: T;
  /** Parses the text of the option; undefined when that is not possible. */
  readonly read: (text: string) => T | undefined;
}

function oneOf<const T extends string>(values: readonly T[], fallback: NoInfer<T>): Declared<T> {
  return { fallback, read: (text) => values.find((value) => value.toLowerCase() === text.trim().toLowerCase()) };
}

/** A list separated by commas or blanks. */
function listOf(...fallback: readonly string[]): Declared<readonly string[]> {
  return { fallback, read: (text) => [...new Set(text.split(/[\s,]+/).filter(Boolean))] };
}

/** A day as `YYYY-MM-DD`; its value is its beginning in milliseconds since 1970. */
const day: Declared<number | undefined> = {
  fallback: undefined,
  read: (text) => (/^\d{4}-\d\d-\d\d$/.test(text.trim()) ? parseDate(text.trim()) : undefined),
};

/** A number of days, at least one. */
const days: Declared<number | undefined> = {
  fallback: undefined,
  read: (text) => (/^\s*[1-9]\d{0,4}\s*$/.test(text) ? Number(text) : undefined),
};

/** A number of hours from 1 to 9,999. */
const hours = (fallback: number): Declared<number> => ({
  fallback,
  read: (text) => (/^\s*[1-9]\d{0,3}\s*$/.test(text) ? Number(text) : undefined),
});

/** A whole number from 0 up to a limit. */
const upTo = (limit: number, fallback: number): Declared<number> => ({
  fallback,
  read: (text) => (/^\s*\d{1,9}\s*$/.test(text) && Number(text) <= limit ? Number(text) : undefined),
});

const flag = (fallback: boolean): Declared<boolean> => ({
  fallback,
  read: (text) => ({ true: true, false: false, '1': true, '0': false })[text.trim().toLowerCase()],
});

/** A text that is not empty; undefined if the option is not set. */
const anyText: Declared<string | undefined> = { fallback: undefined, read: (value) => value.trim() || undefined };

/** A number of seconds above 0; undefined if the option is not set. */
const seconds: Declared<number | undefined> = {
  fallback: undefined,
  read: (value) => (/^\s*\d{1,10}(\.\d+)?\s*$/.test(value) && Number(value) > 0 ? Number(value) : undefined),
};

/** Seconds by name or pattern, as a JSON object. */
const secondsByPattern: Declared<Readonly<Record<string, number>>> = {
  fallback: {},
  read: (value) => {
    try {
      const parsed: unknown = parseNamed(value);
      return isSecondsByPattern(parsed) ? parsed : undefined;
    } catch {
      return undefined;
    }
  },
};

function isSecondsByPattern(value: unknown): value is Record<string, number> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((each) => typeof each === 'number' && each >= 0 && each <= 1e10)
  );
}

/** A number of copies, from 1 to 99. */
const copies = (fallback: number): Declared<number> => ({
  fallback,
  read: (value) => (/^\s*[1-9]\d?\s*$/.test(value) ? Number(value) : undefined),
});

/** A text that is not empty. */
const textOr = (fallback: string): Declared<string> => ({ fallback, read: (text) => text.trim() || undefined });

/** All options that Dapple reads, by section; lib/contract/config-options.ts explains them. */
const declared = {
  common: { extract_scope: oneOf(Object.keys(policy.scopeOfName), policy.defaultScopeOfName) },
  credentials: { signature_lifetime: seconds },
  dirac: { lifetime: secondsByPattern, file_lifetime: seconds },
  events: { kept_hours: hours(24) },
  importer: {
    rse_sync_method: oneOf(['append', 'edit', 'hard'], 'edit'),
    attr_sync_method: oneOf(['append', 'edit', 'hard'], 'edit'),
  },
  lifetime_model: { cutoff_date: day, max_extension: days },
  metadata: {
    // The most selective first: see docs/adr/0009-metadata-index.md.
    indexed_keys: listOf('run_number', 'task_id', 'campaign', 'datatype'),
    excluded_keys: listOf(),
    max_keys_per_scope: upTo(1_000, 200),
  },
  opendata: {
    rse_expression: anyText,
    rule_enable: flag(false),
    rule_rse_expression: anyText,
    rule_account: textOr('root'),
    rule_copies: copies(1),
    rule_activity: textOr('User Subscriptions'),
  },
  rules: { default_activity: textOr('default') },
  subscriptions: { reevaluate_dids_at_close: flag(false) },
} as const;

/** The names of these options, as `section.option`. */
export const optionNames: readonly string[] = Object.entries(declared).flatMap(([section, options]) =>
  Object.keys(options).map((option) => `${section}.${option}`),
);

type Sections = typeof declared;
type ValueOf<D> = D extends Declared<infer T> ? T : never;

type Texts = ReadonlyMap<string, string>;

/** A change of an option takes effect everywhere within this time. */
const optionsTtlMs = 60_000;

/** One entry a table: all options that are set. */
const textsOf = cachePerTable<Texts>({ ttlMs: optionsTtlMs, isShared: true });
const allOptions = 'all';

/**
 * The value of an option, at most a minute old; one read for all options. A value that cannot be parsed counts as not
 * set.
 */
export async function readOption<S extends keyof Sections, O extends keyof Sections[S] & string>(
  table: Table,
  section: S,
  option: O,
): Promise<ValueOf<Sections[S][O]>> {
  const { fallback, read } = declared[section][option] as Declared<ValueOf<Sections[S][O]>>;
  const text = await readText(table, section, option);
  if (text === undefined) return fallback;
  const value = read(text);
  if (value === undefined) log.warn('an option of the configuration cannot be parsed', { section, option, text });
  return value ?? fallback;
}

/** The value of an option that is not set. */
export function defaultOption<S extends keyof Sections, O extends keyof Sections[S] & string>(
  section: S,
  option: O,
): ValueOf<Sections[S][O]> {
  return (declared[section][option] as Declared<ValueOf<Sections[S][O]>>).fallback;
}

/** The text of any option, at most a minute old; undefined: not set. For sections whose options are names. */
export async function readText(table: Table, section: string, option: string): Promise<string | undefined> {
  const texts = await textsOf(table).getOrLoad(allOptions, () => readTexts(table.latest()));
  return texts.get(nameOf(section, option));
}

/** Has the next caller read the options: after a change by this process, or where a minute is too old. */
export function invalidateOptions(table: Table): void {
  textsOf(table).invalidate(allOptions);
}

async function readTexts(table: Table): Promise<Texts> {
  const texts = new Map<string, string>();
  for await (const { section, option, value } of listOptions(table)) texts.set(nameOf(section, option), value);
  return texts;
}

const nameOf = (section: string, option: string) => JSON.stringify([section, option]);
