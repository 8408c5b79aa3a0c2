import { log } from '../../log.ts';
import type { Table } from '../../store/batches/table.ts';
import { listOptions } from '../../store/entities/config-option.ts';
import { parseDate } from '../../time.ts';

/** An option that Dapple acts on. */
interface Declared<T> {
  /** Its value while nobody has set it, and while it is set to what cannot be read. */
  readonly fallback: T;
  /** What the text that it was set to means; undefined when it means nothing. */
  readonly read: (text: string) => T | undefined;
}

function oneOf<const T extends string>(values: readonly T[], fallback: NoInfer<T>): Declared<T> {
  return { fallback, read: (text) => values.find((value) => value === text.trim().toLowerCase()) };
}

/** Texts with commas or blanks between them. */
function listOf(...fallback: readonly string[]): Declared<readonly string[]> {
  return { fallback, read: (text) => [...new Set(text.split(/[\s,]+/).filter(Boolean))] };
}

/** A day as `YYYY-MM-DD`, the beginning of it in milliseconds since 1970. */
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

const flag = (fallback: boolean): Declared<boolean> => ({
  fallback,
  read: (text) => ({ true: true, false: false, '1': true, '0': false })[text.trim().toLowerCase()],
});

/** A text that is not empty. */
const textOr = (fallback: string): Declared<string> => ({ fallback, read: (text) => text.trim() || undefined });

/** Every option of the configuration that changes what Dapple does, by section; docs/operations.md says what for. */
const declared = {
  events: { kept_hours: hours(24) },
  importer: {
    rse_sync_method: oneOf(['append', 'edit', 'hard'], 'edit'),
    attr_sync_method: oneOf(['append', 'edit', 'hard'], 'edit'),
  },
  lifetime_model: { cutoff_date: day, max_extension: days },
  metadata: {
    // The most selective first: see docs/adr/0009-metadata-index.md.
    indexed_keys: listOf('run_number', 'task_id', 'campaign', 'datatype'),
  },
  rules: { default_activity: textOr('default') },
  subscriptions: { reevaluate_dids_at_close: flag(false) },
} as const;

type Sections = typeof declared;
type ValueOf<D> = D extends Declared<infer T> ? T : never;

/** How long options are remembered, in milliseconds: a change takes effect everywhere within this time. */
export const optionMemory = 60_000;

interface Remembered {
  readonly until: number;
  readonly texts: Promise<ReadonlyMap<string, string>>;
}

/** By the name of the table. */
const remembered = new Map<string, Remembered>();

/**
 * The value of an option, as this process has seen it within the last minute: one read for all options, then none. A
 * value that cannot be read counts as not set.
 */
export async function readOption<S extends keyof Sections, O extends keyof Sections[S] & string>(
  table: Table,
  section: S,
  option: O,
): Promise<ValueOf<Sections[S][O]>> {
  const { fallback, read } = declared[section][option] as Declared<ValueOf<Sections[S][O]>>;
  const text = (await textsOf(table)).get(nameOf(section, option));
  if (text === undefined) return fallback;
  const value = read(text);
  if (value === undefined) log.warn('an option of the configuration cannot be read', { section, option, text });
  return value ?? fallback;
}

/** Has the next reader of an option ask the table: after a change of this process, or where a minute would be too old. */
export function forgetOptions({ name }: Table): void {
  remembered.delete(name);
}

async function textsOf(table: Table): Promise<ReadonlyMap<string, string>> {
  const known = remembered.get(table.name);
  if (known !== undefined && known.until > Date.now()) return known.texts;
  const texts = readTexts(table.latest());
  remembered.set(table.name, { until: Date.now() + optionMemory, texts });
  texts.catch(() => remembered.delete(table.name));
  return texts;
}

async function readTexts(table: Table): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for await (const { section, option, value } of listOptions(table)) texts.set(nameOf(section, option), value);
  return texts;
}

const nameOf = (section: string, option: string) => JSON.stringify([section, option]);
