/**
 * Two detachments in one millisecond: the key of a past attachment in the history contains its end (spec/dids.md 2.7).
 */
import { beforeEach, describe, expect, it } from 'vitest';

import { detachDids } from '../../../lib/operations/dids/detach-dids.ts';
import { listHistory } from '../../../lib/store/entities/edge.ts';
import { type Catalogue, data, interrupted, newCatalogue } from './catalogue.ts';

let catalogue: Catalogue;
beforeEach(async () => {
  catalogue = await newCatalogue();
  await catalogue.add('ds', 'DATASET');
}, 60_000);

describe.each([
  ['a few files', 2],
  ['many files', 20],
])('%s that are detached twice in one millisecond', (_what, count) => {
  const names = Array.from({ length: count }, (_value, index) => `f${index}`);
  const detach = (now: number, store = catalogue.store) =>
    detachDids(catalogue.at(now, store), data('ds'), names.map(data));

  it('give DataIdentifierNotFound the second time, no internal error', async () => {
    await catalogue.attach('ds', [...names, 'other'], 1);
    const now = Date.now();
    let isFirst = true;
    const overtaken = interrupted(catalogue.store, async () => {
      if (!isFirst) return;
      isFirst = false;
      await detach(now);
    });
    await expect(detach(now, overtaken)).rejects.toMatchObject({ name: 'DataIdentifierNotFound' });
  });

  it('are detached again if they were attached again in between, and have two entries in the history', async () => {
    await catalogue.attach('ds', names, 1);
    const now = Date.now();
    await detach(now);
    await catalogue.attach('ds', names);
    await detach(now);
    const past = await Array.fromAsync(listHistory(catalogue.at().store.table, data('ds')));
    expect(past).toHaveLength(2 * count);
  });
});
