/** A regular expression of Python that is held against the start of a text, as Python's `match` does. */
export type Pattern = RegExp;

/** The flags that Python lets an expression begin with, and JavaScript knows. */
const leadingFlags = /^\(\?([aimsux]+)\)/;

/**
 * Reads a regular expression in Python's spelling.
 *
 * @returns Undefined where it is none that can be understood: such a one matches nothing (spec/access.md 3.7).
 */
export function readPattern(source: string): Pattern | undefined {
  const flags = new Set(leadingFlags.exec(source)?.[1]);
  if (flags.has('x')) return undefined;
  const body = source
    .replace(leadingFlags, '')
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\(\?P=(\w+)\)/g, String.raw`\k<$1>`)
    .replaceAll(String.raw`\A`, '^')
    .replaceAll(String.raw`\Z`, '$');
  const known = ['i', 'm', 's'].filter((flag) => flags.has(flag)).join('');
  try {
    return new RegExp(body, `y${known}`);
  } catch {
    return undefined;
  }
}
