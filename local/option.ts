import { parseArgs } from 'node:util';

/** An option of a program: what the parser takes, and what the help and the documents say. */
export interface Option<T = unknown> {
  /** The option as it is typed, such as `--port <number>`. */
  readonly usage: string;
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  /** The default, as the help names it; absent: none, or that of a switch. */
  readonly default?: string;
  readonly help: string;
  /** Reads what was typed; undefined if nothing was. Throws an Error that explains a mistake. */
  readonly read: (given: string | boolean | readonly (string | boolean)[] | undefined) => T;
}

/** Options by the name of their value; `help` asks for the help. */
export type Options = Readonly<Record<string, Option>>;

/** The values of options. */
export type Values<O extends Options> = {
  readonly [Name in Exclude<keyof O, 'help'>]: ReturnType<O[Name]['read']>;
};

interface Reading<Given, T> {
  readonly default?: string;
  readonly help: string;
  readonly read: (given: Given | undefined) => T;
}

/** An option with a text. */
export function text<T>(usage: string, reading: Reading<string, T>): Option<T> {
  const { read, ...rest } = reading;
  return { usage, type: 'string', ...rest, read: (given) => read(given as string | undefined) };
}

/** An option with a text that may be repeated. */
export function texts<T>(usage: string, reading: Reading<readonly string[], T>): Option<T> {
  const { read, ...rest } = reading;
  return { usage, type: 'string', multiple: true, ...rest, read: (given) => read(given as string[] | undefined) };
}

/** A switch: off by default, or on if it is named by its negative. */
export function toggle(usage: string, help: string): Option<boolean> {
  const isOn = usage.startsWith('--no-');
  return { usage, type: 'boolean', help, read: (given = isOn) => given === true };
}

/** An option with a text that must be given. */
export function required(usage: string, help: string): Option<string> {
  return text(usage, {
    help,
    read: (given) => {
      if (given === undefined) throw new Error(`\`${usage}\` is missing.`);
      return given;
    },
  });
}

/** Parses the command line; undefined if it asks for help. Throws an Error that explains a mistake. */
export function parseOptions<O extends Options>(options: O, args: readonly string[]): Values<O> | undefined {
  const entries = Object.entries<Option>(options).map(([name, option]) => [name, flagOf(option), option] as const);
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: Object.fromEntries(
      entries.map(([name, flag, { type, multiple = false }]) => [
        flag,
        { type, multiple, ...(name === 'help' ? { short: 'h' } : {}) },
      ]),
    ),
  });
  if (values['help'] === true) return undefined;
  return Object.fromEntries(entries.map(([name, flag, { read }]) => [name, read(values[flag])])) as Values<O>;
}

/** The name of an option for the parser, which knows `--no-x` as the negative of `x`. */
const flagOf = ({ usage }: Option) => usage.replace(/^--(?:no-)?| .*$/g, '');

/** The lines of the help about options. */
export function describeOptions(options: Options): string[] {
  const entries = Object.values<Option>(options).map(
    ({ usage, help, default: preset }) =>
      [usage, help + (preset === undefined ? '' : ` (default: ${preset})`)] as const,
  );
  return describeAll(entries);
}

/** One line per entry and more for long texts, all of which begin at the same column. */
export function describeAll(entries: readonly (readonly [name: string, help: string])[]): string[] {
  const column = Math.max(...entries.map(([name]) => name.length)) + 4;
  return entries.map(([name, help]) => `  ${name.padEnd(column - 2)}${wrap(help, 86).join(`\n${' '.repeat(column)}`)}`);
}

/** Breaks a text into lines of at most so many characters. */
export function wrap(words: string, width: number): string[] {
  return words.match(new RegExp(String.raw`\S.{0,${width - 1}}(?=\s|$)`, 'g')) ?? [];
}
