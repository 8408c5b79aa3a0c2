import { beforeAll, describe, expect, it } from 'vitest';

import { rowsOf } from '../../../lib/domain/paging/page.ts';
import { listNewDids } from '../../../lib/operations/dids/list-new.ts';
import { setMetadata } from '../../../lib/operations/dids/set-metadata.ts';
import { type Catalogue, data, newCatalogue } from './catalogue.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await newCatalogue();
  await catalogue.add('ds', 'DATASET');
  await catalogue.add('cont', 'CONTAINER');
  await catalogue.attach('ds', ['file'], 1);
});

const listed = (type?: string, now?: number) => Array.fromAsync(rowsOf(listNewDids(catalogue.at(now), type)));

describe('new DIDs (dids 2.22)', () => {
  it.each([
    ['dataset', 'ds'],
    ['FILE', 'file'],
    ['Container', 'cont'],
  ])('lists those of the type %s until their flag is cleared', async (type, name) => {
    const row = { scope: 'data', name, did_type: type.toUpperCase(), type: type.toUpperCase() };
    const flag = (value: boolean) =>
      setMetadata(catalogue.at(), data(name), { key: 'is_new', value, recursive: false });
    expect(await listed(type)).toEqual([row]);
    expect(await listed()).toContainEqual(row);
    await flag(false);
    expect(await listed(type)).toEqual([]);
    await flag(true);
    // A file that is flagged again is in a second list of its hour.
    expect(await listed(type)).toEqual([row]);
  });

  it('omits DIDs that were created with is_new = false', async () => {
    await catalogue.add('old', 'DATASET', { meta: { is_new: false } });
    expect((await listed('dataset')).map(({ name }) => name)).toEqual(['ds']);
  });

  it('omits DIDs that were created more than 24 hours ago', async () => {
    expect(await listed(undefined, Date.now() + 25 * 3_600_000)).toEqual([]);
  });

  it('has at most 1000 rows', async () => {
    const files = Array.from({ length: 1010 }, (_value, index) => `many${index}`);
    await catalogue.attach('ds', files.slice(0, 600), 1);
    await catalogue.attach('ds', files.slice(600), 1);
    expect(await listed('file')).toHaveLength(1000);
    expect(await listed()).toHaveLength(1000);
  });
});
