import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { matchesGlob, readGlob } from '../../lib/domain/values/glob.ts';
import { volumeOf } from '../support/volume.ts';

describe('patterns with wildcards (dids 3.3)', () => {
  it('fit what the same regular expression fits', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '%'), maxLength: 8 });
    fc.assert(
      fc.property(letters, pattern, (text, glob) => {
        const expression = new RegExp(`^${glob.replaceAll('.', String.raw`\.`).replaceAll(/[*%]/g, '.*')}$`, 's');
        expect(matchesGlob(text, readGlob(glob, /[*%]/))).toBe(expression.test(text));
      }),
      { numRuns: volumeOf('globs') },
    );
  });

  it('take no time that grows with their wildcards', () => {
    expect(matchesGlob('a'.repeat(250), readGlob(`${'*a'.repeat(100)}b`, /\*/))).toBe(false);
  });
});
