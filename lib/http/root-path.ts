/** Characters that mean the same with and without an escape (RFC 3986, 2.3). */
const unreserved = /^[\w.~-]$/;

/**
 * Spells the beginning of a path as the routes do: without escapes of letters, and with one slash, unescaped, on each side of the
 * first segment. Rucio's web server merges slashes; a client sends too many where the configured host ends with one.
 * Slashes behind the first segment are for the router.
 */
export function spellRoot(path: string): string {
  const spelt = path.includes('%') ? path.replaceAll(/%[0-9a-f]{2}/gi, unescapeLetter) : path;
  return spelt.replace(/^(?:\/|%2f)+/i, '/').replace(/^(\/[^/%]+)%2f/i, '$1/');
}

function unescapeLetter(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return unreserved.test(character) ? character : escape;
}

/** The first segment of a path, with its slash; `/` for the root. */
export function firstSegment(path: string): string {
  return /^\/[^/]*/.exec(path)?.[0] ?? '/';
}
