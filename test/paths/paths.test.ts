import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findNewPathFlaw, findPathFlaw, findScopeFlaw, normalizePath } from '../../lib/paths.ts';
import { hostilePath, plainPath, respelled } from '../support/hostile-paths.ts';
import { volumeOf } from '../support/volume.ts';

describe('the path of a file', () => {
  it.each([
    'a',
    '/a',
    'a/b.root',
    'user/bob/f9/60/x',
    'a.b/..c/d..',
    '...',
    'a%20b',
    '100%25',
    'é/ü',
    'a b',
    'a+b=c@d,e~f',
  ])('%j names one file', (path) => {
    expect(findNewPathFlaw(path)).toBeUndefined();
  });

  it.each([
    ['', 'it is empty'],
    ['/', 'it is empty'],
    ['//', 'it is empty'],
    ['a/', 'it ends in a slash'],
    ['a%2f', 'a slash is escaped'],
    ['.', "a segment is '.'"],
    ['a/../b', "a segment is '..'"],
    ['a/%2e%2E/b', "a segment is '..'"],
    ['a/%252e./b', "a segment is '..'"],
    ['a/..;x/b', "a segment is '..;x'"],
    ['a/.. /b', "a segment is '.. '"],
    ['a/..', "a segment is '..'"],
    ['a\\b', 'it holds a backslash'],
    ['a%5cb', 'it holds a backslash'],
    ['a\0', 'it holds a control character'],
    ['a\r\nb', 'it holds a control character'],
    ['a\u007F', 'it holds a control character'],
    ['a\u0085b', 'it holds a control character'],
    ['a\u2028b', 'it holds a control character'],
    ['a%00', 'it holds a control character'],
    ['a%250Ab', 'it holds a control character'],
    ['a%2fb', 'a slash is escaped'],
    ['a%252Fb', 'a slash is escaped'],
    ['a%c0%afb', 'its escapes are no UTF-8'],
    ['\uD800', 'it is no Unicode'],
    ['a%2525252541', 'it is escaped more than 3 times'],
    ['a'.repeat(1_025), 'it is longer than 1024 characters'],
  ])('%j is refused: %s', (path, flaw) => {
    expect(findPathFlaw(path)).toBe(flaw);
  });

  it.each([
    ['a//b', 'a segment is empty'],
    ['a/.dapple-0123456789abcdef-x.part', 'a segment is a temporary name of movers'],
    ['.DAPPLE-x.part/a', 'a segment is a temporary name of movers'],
    ['//a', 'a segment is empty'],
    ['a%', 'a percent sign begins no escape'],
    ['a%%32e', 'a percent sign begins no escape'],
    ['a%u002e', 'a percent sign begins no escape'],
    ['a?b', "it holds the mark '?'"],
    ['a#b', "it holds the mark '#'"],
    ['a;b', "it holds the mark ';'"],
    ['a ', 'a segment begins or ends with a blank'],
    ['a/%20b', 'a segment begins or ends with a blank'],
  ])('%j is refused if it is new: %s', (path, flaw) => {
    expect(findNewPathFlaw(path)).toBe(flaw);
    expect(findPathFlaw(path)).toBeUndefined();
  });

  it('is refused in every hostile spelling', () => {
    fc.assert(
      fc.property(hostilePath, (path) => {
        expect(findNewPathFlaw(path), JSON.stringify(path)).toBeDefined();
      }),
      { numRuns: volumeOf('paths') },
    );
  });
});

describe('the folder of a scope', () => {
  it.each(['data', 'a..b', 'user.bob', 'group.phys-higgs', '.a', '-', 'username'])(
    'of %s is one of its own',
    (scope) => {
      expect(findScopeFlaw(scope)).toBeUndefined();
    },
  );

  it.each(['.', '..', 'user..bob', 'user.', 'group.a..b', 'users..'])('of %s is refused', (scope) => {
    expect(findScopeFlaw(scope)).toBeDefined();
  });
});

describe('the normal form of a path', () => {
  it('is that of its normal form', () => {
    fc.assert(
      fc.property(fc.oneof(hostilePath, plainPath, fc.string({ unit: 'grapheme' })), (path) => {
        const normal = normalizePath(path);
        expect(normalizePath(normal)).toBe(normal);
      }),
      { numRuns: volumeOf('paths') },
    );
  });

  it('is one for all spellings that a storage takes for one file', () => {
    fc.assert(
      fc.property(
        plainPath.chain((path) => fc.tuple(fc.constant(path), respelled(path))),
        ([path, spelling]) => {
          expect(normalizePath(spelling), spelling).toBe(normalizePath(path));
        },
      ),
      { numRuns: volumeOf('paths') },
    );
  });

  it('differs for different files that may be registered', () => {
    fc.assert(
      fc.property(plainPath, plainPath, (one, other) => {
        fc.pre(one.toLowerCase() !== other.toLowerCase());
        expect(normalizePath(one)).not.toBe(normalizePath(other));
      }),
      { numRuns: volumeOf('paths') },
    );
  });
});
