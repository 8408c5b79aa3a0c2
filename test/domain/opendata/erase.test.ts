import { expect, it } from 'vitest';

import { expireDids } from '../../../lib/background/expire-dids.ts';
import { addOpendata, updateOpendata } from '../../../lib/operations/opendata/change-opendata.ts';
import { listOpendataDids } from '../../../lib/operations/opendata/list-opendata.ts';
import { data, newCatalogue } from '../dids/catalogue.ts';

it('a DID that is deleted leaves the open data, and gives up its DOI and its record (access 10.5)', async () => {
  const catalogue = await newCatalogue();
  await catalogue.add('ds', 'DATASET', { lifetime: -10 });
  await catalogue.add('next', 'DATASET');
  const names = { doi: '10.1234/x', record_id: 7 };
  await addOpendata(catalogue.at(), data('ds'));
  await updateOpendata(catalogue.at(), data('ds'), { ...names, meta: '{"a": 1}', state: undefined });
  expect(await expireDids({ store: catalogue.store.begin(), now: Date.now() })).toMatchObject({ deleted: 1 });

  const { head, rows } = await listOpendataDids(catalogue.at(), { offset: 0 }, {});
  expect([head.total, await Array.fromAsync(rows)]).toEqual([0, []]);
  await addOpendata(catalogue.at(), data('next'));
  expect(
    await updateOpendata(catalogue.at(), data('next'), { ...names, meta: undefined, state: undefined }),
  ).toMatchObject({
    doi_new: '10.1234/x',
    record_id_new: 7,
  });
});
