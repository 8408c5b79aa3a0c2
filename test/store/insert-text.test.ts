import { describe, expect, it } from 'vitest';

import { insertText } from '../../lib/store/batches/insert-text.ts';

describe('the text of a statement that inserts an item', () => {
  it('names the attributes in their order', () => {
    expect(insertText('T', ['PK', 'SK', "it's"])).toBe(`INSERT INTO "T" VALUE {'PK': ?, 'SK': ?, 'it''s': ?}`);
    expect(insertText('T', ['SK', 'PK'])).toBe(`INSERT INTO "T" VALUE {'SK': ?, 'PK': ?}`);
  });

  it('is another one for another table, and for more or fewer names', () => {
    const texts = [
      insertText('T', ['PK']),
      insertText('U', ['PK']),
      insertText('T', ['PK', 'SK']),
      insertText('T', []),
    ];
    expect(new Set(texts).size).toBe(4);
    expect(insertText('T', ['PK'])).toBe(texts[0]);
  });

  it('stays right when there are more names than are kept', () => {
    const textOf = (key: number) => `INSERT INTO "T" VALUE {'PK': ?, 'meta:${key}': ?}`;
    for (let key = 0; key < 25_000; key += 1) expect(insertText('T', ['PK', `meta:${key}`])).toBe(textOf(key));
    expect(insertText('T', ['PK', 'meta:0'])).toBe(textOf(0));
  });
});
