/**
 * A pattern with wildcards, as the texts between them. Matching takes linear time for any pattern, because patterns
 * come from callers.
 */
export type Glob = readonly string[];

/** Reads a pattern; `wildcard` finds the wildcards. */
export function readGlob(pattern: string, wildcard: RegExp): Glob {
  return pattern.split(wildcard);
}

/** Whether the whole text matches a pattern. */
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
