import { beforeAll, expect, it } from 'vitest';

import { findUnindexed } from '../../lib/store/entities/edge-index.ts';
import { type Edge, insertEdge } from '../../lib/store/entities/edge.ts';
import { measure } from '../../lib/store/items/meter.ts';
import type { Store } from '../../lib/store/open-store.ts';
import { newTestStore } from '../support/store.ts';

const parents = 400;

const makeEdge = (parent: string, child: string, createdAt = 1): Edge => ({
  parent: { scope: 'edges', name: parent },
  child: { scope: 'edges', name: child },
  type: 'FILE',
  createdAt,
});

let store: Store;
beforeAll(async () => {
  store = await newTestStore();
  const edges = [
    ...Array.from({ length: parents }, (_, i) => makeEdge(`dataset-${i}`, 'popular')),
    makeEdge('dataset-0', 'rare'),
  ];
  await store.write(() => Promise.resolve(edges.map((edge) => insertEdge(edge, () => new Error('exists')))));
});

it('looks for an attachment of a child with many parents by its key', async () => {
  const { result, cost } = await measure(() => findUnindexed(store.begin().table, [makeEdge('dataset-7', 'popular')]));
  expect(result).toEqual([]);
  expect(cost.rru).toBeLessThanOrEqual(2);
});

it('tells the attachments that the index does not contain', async () => {
  const missing = makeEdge('dataset-x', 'popular');
  const again = { ...makeEdge('dataset-0', 'rare'), createdAt: 2 };
  const { table } = store.begin();
  expect(await findUnindexed(table, [missing, again, makeEdge('dataset-0', 'rare')])).toEqual([missing, again]);
});

it('tells attachments of many different times apart', async () => {
  const edges = Array.from({ length: 30 }, (_value, time) => makeEdge('times', `t${time}`, time));
  await store.write(() => Promise.resolve(edges.map((edge) => insertEdge(edge, () => new Error('exists')))));
  const others = [makeEdge('times', 't0', 100), makeEdge('times', 't1', 100)];
  const { table } = store.begin();
  expect(await findUnindexed(table, edges)).toEqual([]);
  expect(await findUnindexed(table, [...edges, ...others])).toEqual(others);
  expect(await findUnindexed(table, [...edges.slice(0, 10), ...others])).toEqual(others);
});
