/**
 * A pattern in which a wildcard stands for any text, as the texts between the wildcards. Matching takes linear time,
 * whatever the pattern: a caller's pattern must not be able to keep us busy.
 */
export type Glob = readonly string[];

/** Reads a pattern; `wildcard` finds the wildcards. */
export function readGlob(pattern: string, wildcard: RegExp): Glob {
  return pattern.split(wildcard);
}

/** Whether a text fits a pattern as a whole. */
export function matchesGlob(text: string, glob: Glob): boolean {
  const [first = '', ...rest] = glob;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  return text.length - last.length >= position && text.endsWith(last);
}
