import { beforeAll, describe, expect, it } from 'vitest';

import { opendataStates } from '../../../lib/contract/schemas/states.ts';
import { rowsOf } from '../../../lib/domain/paging/page.ts';
import { addOpendata, removeOpendata, updateOpendata } from '../../../lib/operations/opendata/change-opendata.ts';
import { getOpendataDid } from '../../../lib/operations/opendata/get-opendata.ts';
import { listOpendataDids } from '../../../lib/operations/opendata/list-opendata.ts';
import { listDiskPfns } from '../../../lib/operations/replicas/list-disk-pfns.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { type Catalogue, data, newCatalogue } from '../dids/catalogue.ts';

const entries = 300;
let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await newCatalogue();
  for (let index = 0; index < entries; index += 1) {
    await catalogue.add(`ds${index}`, 'DATASET');
    await addOpendata(catalogue.at(), data(`ds${index}`));
  }
  await updateOpendata(catalogue.at(), data('ds0'), change({ meta: JSON.stringify({ text: 'x'.repeat(300_000) }) }));
});

const change = (more: { meta?: string; doi?: string }) => ({
  state: undefined,
  meta: undefined,
  doi: undefined,
  record_id: undefined,
  ...more,
});
const parts = { files: false, meta: false, doi: true, record_id: true, download_urls: false };
const costOf = async (run: () => Promise<unknown>) => (await measure(run)).cost;

async function list(limit: number): Promise<number> {
  const { rows } = await listOpendataDids(catalogue.at(), { offset: 0 }, { limit });
  return (await Array.fromAsync(rowsOf(rows, limit))).length;
}

describe('cost of open data', () => {
  it('a page costs its rows, however many entries there are, and a read for their number', async () => {
    const cost = await costOf(async () => expect(await list(10)).toBe(10));
    expect(cost).toMatchObject({ wru: 0, roundTrips: 2, requests: 1 + 4 * opendataStates.length });
    expect(cost.rru).toBeLessThanOrEqual(1 + 4 * opendataStates.length);
    const whole = await costOf(async () => expect(await list(1_000)).toBe(entries));
    expect(whole.rru).toBeLessThanOrEqual(30);
  });

  it('an entry costs its item, and its metadata only if they are shown', async () => {
    const read = (meta: boolean) => () =>
      getOpendataDid(catalogue.at(), data('ds0'), { ...parts, meta }, { listPfns: listDiskPfns, maxAttachments: 1 });
    await costOf(read(false));
    expect(await costOf(read(false))).toMatchObject({ rru: 1, roundTrips: 1 });
    expect((await costOf(read(true))).rru).toBeGreaterThan(70);
  });

  it('adding, naming and removing an entry are a transaction each', async () => {
    await catalogue.add('new', 'DATASET');
    expect(await costOf(() => addOpendata(catalogue.at(), data('new')))).toMatchObject({ rru: 2, roundTrips: 2 });
    const named = await costOf(() => updateOpendata(catalogue.at(), data('new'), change({ doi: '10.1234/new' })));
    expect(named).toMatchObject({ rru: 2, wru: 4, roundTrips: 2 });
    expect(await costOf(() => removeOpendata(catalogue.at(), data('new')))).toMatchObject({ rru: 1, roundTrips: 2 });
  });
});
