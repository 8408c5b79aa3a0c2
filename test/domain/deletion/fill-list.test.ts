import { beforeEach, describe, expect, it } from 'vitest';

import { fillDeletableList } from '../../../lib/background/fill-deletable-list.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { deleteReplicas } from '../../../lib/operations/replicas/delete-replicas.ts';
import { listDeletableReplicas } from '../../../lib/operations/replicas/list-deletable.ts';
import { setTombstone } from '../../../lib/operations/replicas/set-tombstone.ts';
import { addRse } from '../../../lib/operations/rses/add-rse.ts';
import { changeReplicas, getFiles, type Replica } from '../../../lib/store/entities/did.ts';
import { getRse } from '../../../lib/store/entities/rse.ts';
import { findListFaults } from '../../support/deletable-list.ts';
import { newTestStore } from '../../support/store.ts';
import { type Catalogue, data, newCatalogue } from '../dids/catalogue.ts';
import { placeRule } from '../replicas/place-rule.ts';

let catalogue: Catalogue;
let rseId: string;
const names = Array.from({ length: 60 }, (_none, index) => `f${index}`);

/** 60 files on DISK, of which an older version has set the even ones free, and the first one of TAPE. */
beforeEach(async () => {
  catalogue = await newCatalogue();
  await addRse(catalogue.at(), 'TAPE', {});
  const files = names.map((name) => ({ ...data(name), bytes: 10 }));
  await addReplicas(catalogue.at(), { rse: 'DISK', files, ignore_availability: false });
  await addReplicas(catalogue.at(), { rse: 'TAPE', files: files.slice(0, 1), ignore_availability: false });
  rseId = (await getRse(catalogue.at().store.table, 'DISK'))?.id ?? '';
  const tapeId = (await getRse(catalogue.at().store.table, 'TAPE'))?.id ?? '';
  await writeAsBefore(
    rseId,
    names.filter((_name, index) => index % 2 === 0),
    { tombstone: 5 },
  );
  await writeAsBefore(tapeId, names.slice(0, 1), { tombstone: 0 });
});

/** Changes replicas as a version did that kept no list. */
async function writeAsBefore(rse: string, files: readonly string[], change: Partial<Replica>): Promise<void> {
  await catalogue.store.write(async (latest) =>
    (await getFiles(latest, files.map(data))).map((file) => {
      const replica = file.replicas.get(rse);
      return changeReplicas(file, new Map([[rse, { state: 'A' as const, ...replica, ...change }]]));
    }),
  );
}

const run = (later: number, mayGoOn = () => true) => fillDeletableList(catalogue.at(Date.now() + later), { mayGoOn });
const list = async (rse: string) => (await Array.fromAsync(listDeletableReplicas(catalogue.at(), rse))).length;
const faults = () => findListFaults(catalogue.at().store.table);

describe('the list of what may be deleted, after an update from a version that kept none', () => {
  it('is filled from the replicas of all RSEs, once no older version writes any more', async () => {
    expect(await run(0)).toEqual({ entered: 0, done: false });
    expect(await run(2_000_000)).toEqual({ entered: 0, done: false });
    expect([await list('DISK'), (await faults()).length]).toEqual([0, 31]);
    expect(await run(2_500_000)).toEqual({ entered: 31, done: true });
    expect([await list('DISK'), await list('TAPE'), await faults()]).toEqual([30, 1, []]);
    expect(await run(9_000_000)).toEqual({ entered: 0, done: true });
  });

  it('is filled from where an interrupted run has stopped', async () => {
    await run(0);
    let entered = 0;
    let runs = 0;
    for (let isDone = false; !isDone; runs += 1) {
      const result = await run(2_500_000, () => false);
      entered += result.entered;
      isDone = result.done;
    }
    // A step for each shard that has replicas.
    expect([entered, runs, await faults()]).toEqual([31, 4 + 1 + 1, []]);
  });

  it('is kept by every change from the beginning, whether the replica was entered or not', async () => {
    const deletion = { rse: 'DISK', files: [data('f2')], ignore_availability: false };
    await deleteReplicas(catalogue.at(), deletion);
    await placeRule(catalogue, rseId, { locks: { f4: { lock: 'O' } } });
    await setTombstone(catalogue.at(), [{ rse: 'DISK', ...data('f6') }]);
    await setTombstone(catalogue.at(), [{ rse: 'DISK', ...data('f1') }]);
    expect(await list('DISK')).toBe(2);
    await run(0);
    expect(await run(2_500_000)).toMatchObject({ entered: 28, done: true });
    await deleteReplicas(catalogue.at(), { ...deletion, files: [data('f8')] });
    expect(await faults()).toEqual([]);
  });

  it('is right if an older version locks or deletes a replica that was entered', async () => {
    await run(0);
    await run(2_500_000);
    await writeAsBefore(rseId, ['f0'], { locks: { rule: { state: 'O', account: 'root' } } });
    expect(await list('DISK')).toBe(29);
    await writeAsBefore(rseId, ['f2'], { listedAt: 1 });
    expect(await list('DISK')).toBe(28);
  });

  it('needs no filling in a new catalogue', async () => {
    const store = await newTestStore();
    const context = { store: store.begin(), now: Date.now() };
    expect(await fillDeletableList(context, { mayGoOn: () => true })).toEqual({ entered: 0, done: true });
  });
});
