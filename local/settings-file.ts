import { readFileSync } from 'node:fs';

/** The option that names the file. */
const option = '--settings';

/**
 * The arguments of a settings file, before those of the command line: of two values for an option that takes one, the last counts.
 *
 * @throws Error that says what is wrong with the file.
 */
export function withSettingsFile(args: readonly string[]): readonly string[] {
  const at = args.findIndex((arg) => arg === option || arg.startsWith(`${option}=`));
  const path = args[at]?.startsWith(`${option}=`) ? args[at].slice(option.length + 1) : args[at + 1];
  return at === -1 || path === undefined ? args : [...readArguments(path), ...args];
}

function readArguments(path: string): string[] {
  let settings: unknown;
  try {
    settings = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`The settings ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw new Error(`The settings ${path} are to be an object: the names of options without dashes, and their values.`);
  }
  return Object.entries(settings).flatMap(([name, value]) => toArguments(path, name, value));
}

function toArguments(path: string, name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => toArguments(path, name, one));
  if (value === true) return [`--${name}`];
  if (value === false) return [`--no-${name}`];
  if (typeof value === 'string' || typeof value === 'number') return [`--${name}=${value}`];
  throw new Error(
    `The settings ${path} have a value for ${name} that is no text, number, true, false or list of them.`,
  );
}
