import { randomUUID } from 'node:crypto';

import { beforeEach, describe, expect, it } from 'vitest';

import { itemSize } from '../../lib/store/items/item-size.ts';
import type { Change } from '../../lib/store/items/plan.ts';
import { inserts, rawCounter, write } from './counted-items.ts';

const maxBytes = 400 * 1_024;

let pk: string;

beforeEach(async () => {
  pk = `TEST#${randomUUID()}`;
  const item = { PK: pk, SK: 'counter', rev: 1, state: 'A', text: '' };
  const text = 'x'.repeat(maxBytes - itemSize(item));
  // Not alone: a single write leaves its id.
  await write([{ kind: 'insert', item: { ...item, text }, onExists: () => new Error('exists') }, ...inserts(pk, 1)]);
});

const setState = (state: string): Change => ({
  kind: 'change',
  key: { PK: pk, SK: 'counter' },
  patch: { set: { state }, add: { rev: 1 } },
  onMismatch: () => new Error('missing'),
});

describe('a single write to an item with no byte left, not even for the id of the write', () => {
  it('changes the item if it does not grow', async () => {
    await write([setState('B')]);
    const changed = await rawCounter(pk);
    expect(changed).toMatchObject({ state: 'B', rev: 2 });
    expect(itemSize(changed ?? {})).toBe(maxBytes);
  });

  it('is refused if it grows', async () => {
    await expect(write([setState('BB')])).rejects.toMatchObject({ name: 'PayloadTooLarge' });
    expect(await rawCounter(pk)).toMatchObject({ state: 'A', rev: 1 });
  });
});
