/** A regular expression of Python, anchored at the start of a text as by Python's `match`. */
export type Pattern = RegExp;

/** Flags at the start of a Python expression. */
const leadingFlags = /^\(\?([aimsux]+)\)/;

/**
 * Parses a regular expression in Python's spelling.
 *
 * @returns Undefined when it is invalid or not supported: it then matches nothing (spec/access.md 3.7).
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
