import fc from 'fast-check';

/** Half of a pair, which is no character. */
const [firstHalf, halves] = [0xd800, 0x800];

/**
 * Any character of Unicode, as the unit `binary` of fast-check has them. That one makes a table of all of them to learn which texts
 * are made of them, which takes seconds in each process.
 */
const anyCharacter = fc.integer({ min: 0, max: 0x10_ff_ff - halves }).map(
  (number) => String.fromCodePoint(number < firstHalf ? number : number + halves),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== text || !text.isWellFormed())
      throw new Error('no character');
    return code < firstHalf ? code : code - halves;
  },
);

/** Texts of any characters. */
export const unicodeText = (limits: { readonly minLength?: number; readonly maxLength?: number } = {}) =>
  fc.string({ ...limits, unit: anyCharacter });
