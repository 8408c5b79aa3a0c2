import fc from 'fast-check';

const word = fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,6}[a-zA-Z0-9]$/);

/** A path that may be registered: of letters that DIDs and all storages know. */
export const plainPath: fc.Arbitrary<string> = fc
  .array(word, { minLength: 1, maxLength: 5 })
  .map((words) => words.join('/'));

/** Encodes characters, or some of them, once or several times. */
function escaped(text: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.boolean(), { minLength: text.length, maxLength: text.length }), fc.nat({ max: 2 }), fc.boolean())
    .map(([marks, again, isLower]) => {
      const encode = (character: string) => {
        const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
        return `%${'25'.repeat(again)}${isLower ? hex : hex.toUpperCase()}`;
      };
      return Array.from(text, (character, index) => (marks[index] === true ? encode(character) : character)).join('');
    });
}

/** Segments that lead elsewhere, or nowhere. */
const evilSegment = fc
  .constantFrom(
    '.',
    '..',
    '..;x',
    '.. ',
    ' ..',
    '..\\',
    '\\..\\x',
    'a\\b',
    'x/../y',
    '../..',
    './x',
    '\0',
    'a\0',
    'a\r\nX: y',
    '\u007F',
    '\u0085',
  )
  .chain((segment) =>
    fc.oneof(fc.constant(segment), segment.charCodeAt(0) < 127 ? escaped(segment) : fc.constant(segment)),
  );

/** A path that must be refused wherever it comes in: it leaves its prefix, names a folder, or has another meaning elsewhere. */
export const hostilePath: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.array(word, { maxLength: 2 }), evilSegment, fc.array(word, { maxLength: 2 }))
    .map(([before, evil, after]) => [...before, evil, ...after].join('/')),
  plainPath.map((path) => `${path}/`),
  plainPath.chain((path) => escaped('/').map((slash) => path + (slash === '/' ? '//x' : slash) + path)),
  fc.tuple(plainPath, plainPath).map((paths) => paths.join('//')),
  plainPath.map((path) => `//${path}`),
  plainPath.map((path) => `${path}%c0%ae%c0%ae`),
  plainPath.map((path) => `${path}%%32f`),
  fc.constantFrom('', '/', '//', '%2f', '%00'),
);

/** Another spelling of a path that a storage of some kind takes for the same file. */
export function respelled(path: string): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom('/', '.', 'up', 'case', 'escape', 'lead', 'end'), { minLength: 1, maxLength: 4 })
    .chain((ways) =>
      escaped(path.replaceAll('/', 'a')).map((letters) => {
        let text = path;
        for (const way of ways) {
          if (way === '/') text = text.replace('/', '//');
          if (way === '.') text = `./${text.replace('/', '/./')}`;
          if (way === 'up') text = `x/../${text}`;
          if (way === 'case') text = text.toUpperCase();
          if (way === 'lead') text = `/${text}`;
          if (way === 'end') text = `${text}/`;
        }
        return ways.includes('escape') && text === path && !path.includes('/') ? letters : text;
      }),
    );
}
