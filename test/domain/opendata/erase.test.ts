import { describe, expect, it } from 'vitest';

import { expireDids } from '../../../lib/background/expire-dids.ts';
import { setStatus } from '../../../lib/operations/dids/set-status.ts';
import { addOpendata, updateOpendata } from '../../../lib/operations/opendata/change-opendata.ts';
import { listOpendataDids } from '../../../lib/operations/opendata/list-opendata.ts';
import { deleteReplicas } from '../../../lib/operations/replicas/delete-replicas.ts';
import { getDid } from '../../../lib/store/entities/did.ts';
import { type Catalogue, data, newCatalogue } from '../dids/catalogue.ts';
import { runDuringDeletion } from '../dids/delete-during.ts';
import { newRuleCatalogue } from '../rules/rule-catalogue.ts';

const names = { doi: '10.1234/x', record_id: 7 };

/** Gives a DID all that an entry can have. */
async function publish(catalogue: Catalogue, name: string, more = names): Promise<void> {
  await addOpendata(catalogue.at(), data(name));
  await updateOpendata(catalogue.at(), data(name), { ...more, meta: '{"a": 1}', state: undefined });
}

async function expectNoEntry(catalogue: Catalogue): Promise<void> {
  const { head, rows } = await listOpendataDids(catalogue.at(), { offset: 0 }, {});
  expect([head.total, await Array.fromAsync(rows)]).toEqual([0, []]);
  await addOpendata(catalogue.at(), data('next'));
  expect(
    await updateOpendata(catalogue.at(), data('next'), { ...names, meta: undefined, state: undefined }),
  ).toMatchObject({
    doi_new: '10.1234/x',
    record_id_new: 7,
  });
}

describe('a DID that is deleted leaves the open data, and gives up its DOI and its record (access 10.5)', () => {
  it('when its lifetime is over', async () => {
    const catalogue = await newCatalogue();
    await catalogue.add('ds', 'DATASET', { lifetime: -10 });
    await catalogue.add('next', 'DATASET');
    await publish(catalogue, 'ds');
    expect(await expireDids({ store: catalogue.store.begin(), now: Date.now() })).toMatchObject({ deleted: 1 });
    await expectNoEntry(catalogue);
  });

  it('when it is a file, or a closed dataset of files, whose last replicas are deleted', async () => {
    const catalogue = await newRuleCatalogue();
    const files = Array.from({ length: 9 }, (_value, index) => `f${index}`);
    await catalogue.register('AAA', files);
    await catalogue.add('ds', 'DATASET');
    await catalogue.add('next', 'DATASET');
    await catalogue.attach('ds', files);
    await setStatus(catalogue.at(), data('ds'), { open: false });
    await publish(catalogue, 'ds');
    for (const [index, name] of files.entries()) {
      await publish(catalogue, name, { doi: `10.1234/${name}`, record_id: 100 + index });
    }
    await deleteReplicas(catalogue.at(), { rse: 'AAA', files: files.map(data), ignore_availability: false });
    expect(await getDid(catalogue.at().store.table, data('ds'))).toBeUndefined();
    await expectNoEntry(catalogue);
  });

  it('also where it has entered them meanwhile', async () => {
    const catalogue = await newCatalogue();
    const sent = await runDuringDeletion(catalogue, {
      run: (store, did) => addOpendata(catalogue.at(Date.now(), store), did),
      async expectNothingLeft() {
        const { head, rows } = await listOpendataDids(catalogue.at(), { offset: 0 }, {});
        expect([head.total, await Array.fromAsync(rows)]).toEqual([0, []]);
      },
    });
    expect(sent).toBeGreaterThan(3);
  });
});
