import fc from 'fast-check';
import { expect, it } from 'vitest';

import { parseJson } from '../../../lib/json.ts';
import { fromJsonForm, toJsonForm } from '../../../moving/export/json-form.ts';
import { canonical } from '../../../moving/rows/canonical.ts';
import { unicodeText } from '../../support/unicode-text.ts';
import { volumeOf } from '../../support/volume.ts';

const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    unicodeText(),
    fc.constantFrom(null, true, false),
    fc.maxSafeInteger(),
    fc.bigInt({ min: 2n ** 60n, max: 2n ** 120n }),
    fc.uint8Array(),
    fc.uniqueArray(fc.string(), { minLength: 1 }).map((elements) => new Set(elements)),
    fc.array(tie('value')),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('$set', '$bytes', '$object')), tie('value')),
  ),
}));

it('gives back every value that an item can have, with the same text each time', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const text = canonical(toJsonForm(value));
      const read = fromJsonForm(parseJson(text));
      expect(read).toEqual(value);
      expect(canonical(toJsonForm(read))).toBe(text);
    }),
    { numRuns: volumeOf('jsonForms') },
  );
});

it('writes a set in one order, however it was made', () => {
  const text = (elements: readonly unknown[]) => canonical(toJsonForm(new Set(elements)));
  expect(text(['b', 'a'])).toBe('{"$set":["a","b"]}');
  expect(text(['b', 'a'])).toBe(text(['a', 'b']));
});
