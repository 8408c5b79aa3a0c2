import { beforeAll, describe, expect, it } from 'vitest';

import { expireDids } from '../../../lib/background/expire-dids.ts';
import type { Placed } from '../../../lib/domain/paging/page.ts';
import { setLimitOnRse } from '../../../lib/operations/accounts/set-account-limits.ts';
import { follow, listDidFollowers } from '../../../lib/operations/dids/followers.ts';
import { showDid } from '../../../lib/operations/dids/get-did.ts';
import { getMetadata } from '../../../lib/operations/dids/get-metadata.ts';
import { listContent, listParents } from '../../../lib/operations/dids/list-content.ts';
import { listContentHistory } from '../../../lib/operations/dids/list-history.ts';
import { listNewDids } from '../../../lib/operations/dids/list-new.ts';
import { listScope } from '../../../lib/operations/dids/list-scope.ts';
import { setMetadata } from '../../../lib/operations/dids/set-metadata.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { withFullItem } from '../../support/full-items.ts';
import { type Catalogue, data, newCatalogue } from './catalogue.ts';

const minute = 60_000;

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await newCatalogue();
  await setLimitOnRse(catalogue.at(), { account: 'root', rse: 'DISK', bytes: -1 });
});

const run = (now = Date.now(), store = catalogue.store) => expireDids({ store: store.begin(), now });
const get = (name: string) => showDid(catalogue.at(), data(name), { dynamic: false });
const notFound = { name: 'DataIdentifierNotFound' };
const names = async (list: AsyncIterable<Placed<{ name: string }>>) => Array.fromAsync(list, ({ row }) => row.name);

const dueBy = (lifetime: number) => ({ lifetime });

describe('expiry of DIDs (dids 4.5)', () => {
  it('costs a read per shard when nothing is due', async () => {
    const { cost } = await measure(() => run());
    expect(cost).toMatchObject({ wru: 0, requests: 4, roundTrips: 1 });
  });

  it('deletes a DID although a parent of somebody else is full, and detaches it from that later', async () => {
    for (const [name, type] of [
      ['attached', 'DATASET'],
      ['own', 'CONTAINER'],
      ['full', 'CONTAINER'],
    ] as const)
      await catalogue.add(name, type, name === 'attached' ? dueBy(-10) : {});
    for (const parent of ['own', 'full']) await catalogue.attach(parent, ['attached']);
    await run(Date.now(), withFullItem(catalogue.store, data('full')));
    await expect(get('attached')).rejects.toMatchObject(notFound);
    const contentOf = async (name: string) => names(listContent(catalogue.at(), data(name)));
    expect([await contentOf('own'), await contentOf('full')]).toEqual([[], ['attached']]);
    await run(Date.now() + 60 * minute);
    expect(await contentOf('full')).toEqual([]);
  });

  it('keeps a DID until its lifetime is over, and after the lifetime was changed', async () => {
    await catalogue.add('later', 'DATASET', dueBy(3600));
    await catalogue.add('saved', 'DATASET', dueBy(-10));
    await setMetadata(catalogue.at(), data('saved'), { key: 'lifetime', value: null, recursive: false });
    await catalogue.add('extended', 'DATASET', dueBy(-10));
    await setMetadata(catalogue.at(), data('extended'), { key: 'lifetime', value: 7200, recursive: false });
    expect(await run()).toEqual({ deleted: 0, released: 0, postponed: 0 });
    for (const name of ['later', 'saved', 'extended']) expect(await get(name)).toMatchObject({ name });
    expect(await run(Date.now() + 7300_000)).toMatchObject({ deleted: 2 });
    await expect(get('extended')).rejects.toMatchObject(notFound);
    expect(await get('saved')).toMatchObject({ expired_at: null });
  });

  it('deletes a collection with content, rules, followers and free metadata, and detaches it with history', async () => {
    await catalogue.add('outer', 'CONTAINER');
    const rules = [{ copies: 1, rse_expression: 'DISK' }];
    await catalogue.add('ds', 'DATASET', { lifetime: -10, meta: { shift: 'night', project: 'p' }, rules });
    await catalogue.attach('ds', ['f1', 'f2', 'f3'], 10);
    await catalogue.attach('outer', ['ds']);
    await follow(catalogue.at(), data('ds'), 'root');
    expect(await get('outer')).toMatchObject({ length: 3, bytes: 30 });
    expect(await run()).toMatchObject({ deleted: 1, postponed: 0 });

    await expect(get('ds')).rejects.toMatchObject(notFound);
    expect(await get('outer')).toMatchObject({ length: 0, bytes: 0 });
    expect(await names(listContent(catalogue.at(), data('outer')))).toEqual([]);
    expect(await names(listContentHistory(catalogue.at(), data('outer')))).toEqual(['ds']);
    expect(await names(listParents(catalogue.at(), data('f1')))).toEqual([]);
    expect(await names(listScope(catalogue.at(), 'data', { recursive: false }))).toContain('f1');
    expect(await names(listNewDids(catalogue.at(), 'dataset'))).not.toContain('ds');

    await catalogue.add('ds', 'DATASET');
    expect(await get('ds')).toMatchObject({ length: 0, bytes: 0, open: true });
    expect(await names(listContent(catalogue.at(), data('ds')))).toEqual([]);
    expect(await Array.fromAsync(listDidFollowers(catalogue.at(), data('ds')))).toEqual([]);
    expect(await getMetadata(catalogue.at(), data('ds'), 'JSON')).toEqual({});
  });

  it('removes the lifetime of an expired file and keeps the file', async () => {
    await catalogue.add('holder', 'DATASET');
    await catalogue.attach('holder', ['short'], 10);
    await setMetadata(catalogue.at(), data('short'), { key: 'lifetime', value: -1, recursive: false });
    expect(await run()).toMatchObject({ deleted: 0, released: 1 });
    expect(await get('short')).toMatchObject({ expired_at: null });
    expect(await names(listParents(catalogue.at(), data('short')))).toEqual(['holder']);
  });

  it('keeps a DID with a locked rule and checks again an hour later', async () => {
    const rules = [{ copies: 1, rse_expression: 'DISK', locked: true }];
    await catalogue.add('locked', 'DATASET', { lifetime: -10, rules });
    expect(await run()).toMatchObject({ deleted: 0, postponed: 1 });
    expect(await run(Date.now() + 30 * minute)).toMatchObject({ postponed: 0 });
    expect(await run(Date.now() + 61 * minute)).toMatchObject({ postponed: 1 });
    expect(await get('locked')).toMatchObject({ name: 'locked' });
  });

  it('deletes a container and its datasets that expire together', async () => {
    const children = Array.from({ length: 12 }, (_value, index) => `part${index}`);
    for (const name of children) await catalogue.add(name, 'DATASET', dueBy(-10));
    await catalogue.add('whole', 'CONTAINER', dueBy(-10));
    await catalogue.attach('whole', children);
    const { deleted, postponed } = await run();
    expect(deleted + postponed).toBe(13);
    await run(Date.now() + 11 * minute);
    for (const name of ['whole', ...children]) await expect(get(name)).rejects.toMatchObject(notFound);
    expect(await names(listContent(catalogue.at(), data('outer')))).toEqual([]);
  });
});
