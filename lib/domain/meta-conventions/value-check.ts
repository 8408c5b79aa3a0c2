import { fail } from '../../errors.ts';

/** The types that a key can require, as Python spells them (spec/dids.md 2.29). */
export const valueTypes: ReadonlySet<string> = new Set(["<class 'float'>", "<class 'int'>", "<class 'str'>"]);

/** Whether a JSON value is of a type. JSON does not distinguish 5 from 5.0, so an integer is also a float. */
export function fitsType(type: string, value: unknown): boolean {
  switch (type) {
    case "<class 'str'>":
      return typeof value === 'string';
    case "<class 'int'>":
      return typeof value === 'bigint' || Number.isInteger(value);
    default:
      return typeof value === 'bigint' || typeof value === 'number';
  }
}

/**
 * Compiles a regular expression in Python's spelling; it matches at the start of a text, as Python's `match` does.
 *
 * @throws InvalidValueForKey (400) when it is malformed.
 */
export function compileRegexp(key: string, source: string): RegExp {
  try {
    return new RegExp(source.replaceAll('(?P<', '(?<').replaceAll(/\(\?P=(\w+)\)/g, '\\k<$1>'), 'y');
  } catch {
    return fail('InvalidValueForKey', `The regular expression ${source} for the key ${key} cannot be understood`);
  }
}
