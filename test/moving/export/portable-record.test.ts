import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { itemKinds } from '../../../lib/store/portable/item-kinds.ts';
import type { KeyTemplate } from '../../../lib/store/portable/key-template.ts';
import { toItem, toRecord } from '../../../lib/store/portable/portable-record.ts';
import { volumeOf } from '../../support/volume.ts';

/** The fields of a template; numbers are those that are written as digits. */
function fieldsOf({ PK, SK }: KeyTemplate): string[] {
  return [...PK, ...SK].flatMap((part) => (part.kind === 'field' ? [part.field] : []));
}

/** The fields that are names of DIDs, by the way in which keys spell them. */
function namesIn({ PK, SK }: KeyTemplate): ReadonlySet<string> {
  return new Set(
    [...PK, ...SK].flatMap((part) => (part.kind === 'field' && part.read('$') === '#' ? [part.field] : [])),
  );
}

const numbers = new Set(['at', 'listed_at', 'record_id', 'slot', 'tombstone']);
const text = fc.oneof(
  fc.stringMatching(/^[^#]{1,20}$/),
  fc.constantFrom('%23', '%25', '100%', 'CHILD', 'RULE', '0', 'a b', 'é😀'),
);
/** Names of DIDs may hold the separator, but not the character that is written for it. */
const didName = fc.oneof(fc.stringMatching(/^[^$]{1,20}$/), fc.constantFrom('/a/b/RAW#1', '##', '%24', 'q2=1:a+b~'));
const number = fc.integer({ min: 0, max: 4_000_000_000_000 });

describe('portable records', () => {
  it.each(itemKinds)('tell the keys of $name in words, and make them again', ({ name, template }) => {
    const fields = fieldsOf(template);
    expect(new Set(fields).size).toBe(fields.length);
    const names = namesIn(template);
    const valueOf = (field: string) => (numbers.has(field) ? number : names.has(field) ? didName : text);
    const key = fc.record(Object.fromEntries(fields.map((field) => [field, valueOf(field)])));
    fc.assert(
      fc.property(key, (given) => {
        const item = toItem(name, { key: given, item: { a: 1 } });
        const { kind, record } = toRecord(item);
        expect({ kind, key: record.key, item: record.item }).toEqual({ kind: name, key: given, item: { a: 1 } });
      }),
      { numRuns: volumeOf('itemsOfRecords') },
    );
  });

  it('keep a key as it is that no kind makes', () => {
    const item = { PK: 'UNKNOWN#1', SK: 'x', GSI1PK: 'y', GSI1SK: 'z', value: 1 };
    const { kind, record } = toRecord(item);
    expect(kind).toBe('other');
    expect(record).toEqual({
      key: { PK: 'UNKNOWN#1', SK: 'x' },
      item: { value: 1 },
      index: { GSI1PK: 'y', GSI1SK: 'z' },
    });
    expect(toItem(kind, record)).toEqual(item);
  });

  it('leave out what belongs to bulk requests', () => {
    const item = {
      PK: 'SCOPES',
      SK: 'beam',
      account: 'root',
      batch: 'b',
      '~b': {},
      setting: new Set(['b']),
      writeId: 'w',
    };
    expect(toRecord(item)).toEqual({ kind: 'scopes', record: { key: { scope: 'beam' }, item: { account: 'root' } } });
  });
});
