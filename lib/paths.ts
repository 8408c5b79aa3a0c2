/** The longest path of a file below a prefix, as in Rucio; also the longest key of an object in S3. */
const maxPathLength = 1_024;

/** How often a path is decoded before it is refused: peers decode once, proxies in front of them once more. */
const maxDecodings = 3;

/**
 * Why a path below a prefix must never be used: it could leave the prefix, name a folder, or mean another file to a peer that
 * reads it otherwise. Undefined: it names one file. Escapes are judged by what they become, however often they are decoded.
 *
 * Everything that takes a path in, hands one out or acts on one asks here, so that a path that is in the table already can
 * harm nobody.
 *
 * @param path With or without a slash before it.
 */
export function findPathFlaw(path: string): string | undefined {
  if (path.length > maxPathLength) return `it is longer than ${maxPathLength} characters`;
  let text = path.replace(/^\//, '');
  if (!suspicious.test(text)) return undefined;
  for (let decodings = 0; decodings <= maxDecodings; decodings += 1) {
    const flaw = findPlainFlaw(text);
    if (flaw !== undefined) return flaw;
    const decoded = decodeOnce(text);
    if (decoded === undefined) return 'its escapes are no UTF-8';
    if (decoded.split('/').length !== text.split('/').length) return 'a slash is escaped';
    if (decoded === text) return undefined;
    text = decoded;
  }
  return `it is escaped more than ${maxDecodings} times`;
}

/** A part of a path that needs a closer look. Most paths have none, and this test is enough for them: lists have many paths. */
const suspicious = /[^\w./-]|(?:^|\/)\.{1,2}(?:\/|$)|\/$|^\/*$/;

/** The names under which movers write what is not complete yet. */
const temporaryName = /^\.dapple-.*\.part$/i;

/**
 * Why a file must not get a path, or a DID a name: what {@link findPathFlaw} tells, and all else that storages and clients read
 * differently, so that only one of its readings may exist. A path that is there already keeps the reading that it has.
 *
 * @param path One slash before it is allowed.
 */
export function findNewPathFlaw(path: string): string | undefined {
  const flaw = findPathFlaw(path);
  if (flaw !== undefined) return flaw;
  const segments = path.replace(/^\//, '').split('/');
  if (segments.includes('')) return 'a segment is empty';
  // Movers delete what has such a name: a copy that was not completed.
  if (segments.some((segment) => temporaryName.test(segment))) return 'a segment is a temporary name of movers';
  if (/%(?![0-9a-f]{2})/i.test(path)) return 'a percent sign begins no escape';
  const mark = /[?#;]/.exec(path)?.[0];
  if (mark !== undefined) return `it holds the mark '${mark}'`;
  const decoded = segments.map((segment) => decodeOnce(segment) ?? segment);
  return decoded.some((segment) => segment.trim() !== segment) ? 'a segment begins or ends with a blank' : undefined;
}

/** Why a DID must not get a name: as of a path, but for the mark `#`, which is in names of collections: they have no path. */
export function findNewNameFlaw(name: string): string | undefined {
  return findNewPathFlaw(name.replaceAll('#', '_'));
}

/** Scopes of users and groups become nested folders. The beginning of the scope alone decides (spec/rses.md 6.1). */
export function folderOfScope(scope: string): string {
  return /^(user|group)/.test(scope) ? scope.replaceAll('.', '/') : scope;
}

/** Why there must be no scope of a name: its folder would leave the prefix, or be that of another scope. */
export function findScopeFlaw(scope: string): string | undefined {
  return findNewPathFlaw(folderOfScope(scope));
}

/** Why a text must be in no PFN, wherever in it: some peer would read another PFN. */
export function findTextFlaw(text: string): string | undefined {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return 'it holds a control character';
  if (!text.isWellFormed()) return 'it is no Unicode';
  return text.includes('\\') ? 'it holds a backslash' : undefined;
}

/** Why a text can be no part of a path, however it is written. */
function findPlainFlaw(text: string): string | undefined {
  const flaw = findTextFlaw(text);
  if (flaw !== undefined) return flaw;
  if (/^\/*$/.test(text)) return 'it is empty';
  if (text.endsWith('/')) return 'it ends in a slash';
  const segments = text.split('/');
  const dots = segments.find((segment) => /^\s*\.{1,2}\s*$/.test(segment.split(';')[0] ?? ''));
  return dots === undefined ? undefined : `a segment is '${dots}'`;
}

/** A text with its escapes decoded once; undefined if they are no UTF-8, such as an overlong form of a slash. */
function decodeOnce(text: string): string | undefined {
  try {
    return text.replaceAll(escapes, decodeURIComponent);
  } catch {
    return undefined;
  }
}

const escapes = /(?:%[0-9a-f]{2})+/gi;

/**
 * The normal form of a path: the same for all spellings that some storage takes for one file. Escapes are decoded, segments
 * that mean nothing are left out, and letters are those of file systems that tell neither case nor composed characters apart.
 * It identifies a place, and is never handed out: on other storages the spellings are different files.
 */
export function normalizePath(path: string): string {
  const segments: string[] = [];
  for (const segment of decodeAll(path).replaceAll('\\', '/').split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return foldLetters(segments.join('/'));
}

/** A text without escapes that mean a character. Nobody gets a path that is longer than any other, so that stays. */
function decodeAll(text: string): string {
  if (text.length > maxPathLength) return text;
  const decoded = text.replaceAll(escapes, (run) => decodeOnce(run) ?? run);
  return decoded === text ? text : decodeAll(decoded);
}

/** Some times over, since folding may compose and composing may change the case. */
function foldLetters(text: string): string {
  let folded = text.toWellFormed();
  for (let times = 0; times < 4; times += 1) folded = folded.normalize('NFC').toUpperCase().toLowerCase();
  return folded;
}
