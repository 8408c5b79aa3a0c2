import { describe, expect, it } from 'vitest';

import { asRoot, newScope, uniqueName } from '../support/server.ts';

const root = asRoot();

describe('a bulk request of 5,000 attachments', () => {
  it('is visible to concurrent readers as 0 or 5,000, never in part', async () => {
    const scope = await newScope();
    const rse = uniqueName('disk').toUpperCase();
    await root.post(`/rses/${rse}`);
    const dids = Array.from({ length: 1_000 }, (_value, index) => ({ scope, name: `f${index}`, bytes: 3 }));
    expect((await root.post(`/dids/${scope}/source`, { type: 'DATASET', rse, dids })).status).toBe(201);
    const parents = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ scope, name, type: 'DATASET' }));
    const container = { scope, name: 'all', type: 'CONTAINER', dids: parents.map(({ name }) => ({ scope, name })) };
    expect((await root.post('/dids', [...parents, container])).status).toBe(201);

    const attachments = parents.map(({ name }) => ({
      scope,
      name,
      dids: dids.map((did) => ({ scope, name: did.name })),
    }));
    const request = { done: false };
    const sizes = new Set<unknown>();
    const listed = new Set<number>();
    const looking = (async () => {
      while (!request.done) {
        listed.add((await root.get(`/dids/${scope}/all/files`)).lines().length);
        const { length } = (await root.get(`/dids/${scope}/all?dynamic=True`)).json() as { length: number };
        sizes.add(length);
      }
    })();
    expect((await root.post('/dids/attachments', attachments)).status).toBe(201);
    request.done = true;
    await looking;
    expect([...listed].filter((count) => count !== 0 && count !== 5_000)).toEqual([]);
    expect([...sizes].filter((length) => length !== 0 && length !== 5_000)).toEqual([]);
    expect((await root.get(`/dids/${scope}/all/files`)).lines()).toHaveLength(5_000);
    expect((await root.get(`/dids/${scope}/all?dynamic=True`)).json()).toMatchObject({ length: 5_000, bytes: 15_000 });
  }, 120_000);
});
