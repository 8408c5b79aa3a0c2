import { beforeAll, describe, expect, it } from 'vitest';

import type { Context } from '../../../lib/domain/values/context.ts';
import { detachDids } from '../../../lib/operations/dids/detach-dids.ts';
import { listFilesOfGuid } from '../../../lib/operations/dids/find-by-guid.ts';
import { getBulkMetadata, getMetadata } from '../../../lib/operations/dids/get-metadata.ts';
import { listParents } from '../../../lib/operations/dids/list-content.ts';
import { listContentHistory } from '../../../lib/operations/dids/list-history.ts';
import { listNewDids } from '../../../lib/operations/dids/list-new.ts';
import { setDidsMetadataBulk, setMetadata } from '../../../lib/operations/dids/set-metadata.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { type Catalogue, data, newCatalogue } from './catalogue.ts';

const files = Array.from({ length: 250 }, (_value, index) => `f${index}`);
const guid = 'a'.repeat(32);

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await newCatalogue();
  await catalogue.add('ds', 'DATASET');
  await catalogue.attach('ds', files, 1);
  await setMetadata(catalogue.at(), data('f0'), { key: 'guid', value: guid, recursive: false });
  await detachDids(catalogue.at(), data('ds'), [data('f1')]);
});

const costOf = async (run: (context: Context) => Promise<unknown>) => (await measure(() => run(catalogue.at()))).cost;

describe('cost of metadata and lists of DIDs', () => {
  it('metadata of a DID is one read', async () => {
    const cost = await costOf((context) => getMetadata(context, data('ds'), 'ALL'));
    expect(cost).toEqual({ rru: 1, wru: 0, requests: 1, roundTrips: 1 });
  });

  it('parents, history and the file of a GUID are one round trip', async () => {
    for (const list of [listParents, listContentHistory]) {
      const cost = await costOf((context) => Array.fromAsync(list(context, data(list === listParents ? 'f0' : 'ds'))));
      expect(cost).toMatchObject({ requests: 2, roundTrips: 1, wru: 0 });
      expect(cost.rru).toBeLessThanOrEqual(2);
    }
    const cost = await costOf((context) => Array.fromAsync(listFilesOfGuid(context, guid)));
    expect(cost).toEqual({ rru: 0.5, wru: 0, requests: 1, roundTrips: 1 });
  });

  it('metadata of many DIDs are parallel batch reads of 100 DIDs each', async () => {
    const dids = files.map(data);
    const read = async (context: Context, inherit: boolean) =>
      Array.fromAsync(getBulkMetadata(context, { dids, inherit, plugin: 'JSON' }));
    expect(await costOf((context) => read(context, false))).toEqual({ rru: 250, wru: 0, requests: 3, roundTrips: 1 });
    const inherited = await costOf((context) => read(context, true));
    expect(inherited.rru).toBeLessThanOrEqual(250 + 125 + 2);
  });

  it('setting a key is a read and a write of the DID, and of its index entry', async () => {
    const set = (name: string, key: string) =>
      costOf((context) => setMetadata(context, data(name), { key, value: 'v', recursive: false }));
    expect(await set('ds', 'version')).toEqual({ rru: 1, wru: 2, requests: 2, roundTrips: 2 });
    expect(await set('f9', 'version')).toEqual({ rru: 1, wru: 1, requests: 2, roundTrips: 2 });
    // A free key is indexed. The first use of one in a scope adds it to the list of its keys.
    expect(await set('f8', 'a')).toEqual({ rru: 4, wru: 5, requests: 6, roundTrips: 6 });
    expect(await set('f9', 'a')).toEqual({ rru: 1, wru: 4, requests: 2, roundTrips: 2 });
  });

  it('setting metadata of many DIDs is two writes per DID, one for each indexed key, and at most 20 more', async () => {
    const some = files.slice(0, 200);
    const set = (meta: Readonly<Record<string, unknown>>) =>
      costOf((context) =>
        setDidsMetadataBulk(
          context,
          some.map((name) => ({ scope: 'data', name, meta })),
        ),
      );
    await set({ colour: 'red' });
    const [plain, free] = [await set({ version: 'v1' }), await set({ colour: 'blue' })];
    expect([plain.rru, free.rru]).toEqual([200, 200]);
    expect(plain.wru).toBeLessThanOrEqual(2 * 200 + 20);
    // The entry of the former value goes, that of the new one comes.
    expect(free.wru).toBeLessThanOrEqual((2 + 3) * 200 + 20);
  });

  it('listing new DIDs does not read old ones', async () => {
    const cost = await costOf((context) => Array.fromAsync(listNewDids(context, undefined)));
    // An hour has 4 partitions of datasets, 4 of containers and 24 of files.
    expect(cost.requests).toBeLessThanOrEqual((4 + 4 + 24) * 24 + 3);
    expect(cost.roundTrips).toBeLessThanOrEqual(10);
  });
});
