import { beforeAll, describe, expect, it } from 'vitest';

import { replicaQuery } from '../../../lib/contract/schemas/replica.ts';
import type { Context } from '../../../lib/domain/values/context.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { deleteReplicas } from '../../../lib/operations/replicas/delete-replicas.ts';
import { listDatasetReplicas } from '../../../lib/operations/replicas/list-dataset-replicas.ts';
import { listDatasetsPerRse } from '../../../lib/operations/replicas/list-datasets-per-rse.ts';
import { listReplicas } from '../../../lib/operations/replicas/list-replicas.ts';
import { listForMetalink, redirectToReplica } from '../../../lib/operations/replicas/redirect.ts';
import { readReplicaQuery } from '../../../lib/operations/replicas/replica-query.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { deleteDatasetLock, insertDatasetLock } from '../../../lib/store/entities/dataset-lock.ts';
import { listRseContent } from '../../../lib/store/entities/rse-content.ts';
import { getRse } from '../../../lib/store/entities/rse.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { shards } from '../../../lib/store/values/shards.ts';
import { type Catalogue, data, newCatalogue } from '../dids/catalogue.ts';

const names = Array.from({ length: 250 }, (_value, index) => `f${index}`);
let catalogue: Catalogue;

beforeAll(async () => {
  catalogue = await newCatalogue();
  await catalogue.add('ds', 'DATASET');
  await catalogue.attach('ds', names, 1);
  await catalogue.add('beside', 'DATASET');
  await catalogue.attach('beside', ['f0']);
  const rseId = (await getRse(catalogue.at().store.table, 'DISK'))?.id ?? '';
  await catalogue.store.write(async () =>
    ['ds', 'beside'].map((name) => insertDatasetLock({ did: data(name), ruleId: '0'.repeat(32), rseId, createdAt: 1 })),
  );
  await list(catalogue.at(), ['f0']);
});

const costOf = async (run: (context: Context) => Promise<unknown>) => (await measure(() => run(catalogue.at()))).cost;
const list = (context: Context, dids: readonly string[], more: object = {}) => {
  const query = replicaQuery.parse({ dids: dids.map(data), ...more });
  return Array.fromAsync(listReplicas(context, readReplicaQuery(query, {}, false)));
};

describe('cost of replicas', () => {
  it('a list of files is a read per file in parallel batches of 100, and one for the fleet', async () => {
    const cost = await costOf(async (context) => expect(await list(context, names)).toHaveLength(250));
    expect(cost).toEqual({ rru: 251, wru: 0, requests: 4, roundTrips: 1 });
  });

  it('a list of a dataset costs its content in addition', async () => {
    const cost = await costOf(async (context) => expect(await list(context, ['ds'])).toHaveLength(250));
    expect(cost).toMatchObject({ wru: 0, requests: 6, roundTrips: 3 });
    expect(cost.rru).toBeLessThanOrEqual(2 + 250 + 12);
  });

  it('a request without a token costs no more than the first hundred attachments', async () => {
    const toFile = await costOf(async ({ store, now }) => {
      const led = redirectToReplica({ store, now }, data('ds'), { schemes: [] });
      await expect(led).rejects.toMatchObject({ name: 'ReplicaNotFound' });
    });
    expect(toFile).toMatchObject({ wru: 0, requests: 3 + 10 });
    expect(toFile.rru).toBeLessThanOrEqual(2 + 100 + 6);
    const toMetalink = await costOf(async ({ store, now }) => {
      const listed = listForMetalink({ store, now }, data('ds'), { schemes: [] });
      await expect(listed).rejects.toMatchObject({ name: 'AccessDenied' });
    });
    expect(toMetalink).toMatchObject({ wru: 0, requests: 3 });
    expect(toMetalink.rru).toBeLessThanOrEqual(2 + 6);
  });

  it('parents are a query per file, and one per ancestor', async () => {
    const some = names.slice(0, 20);
    const cost = await costOf((context) => list(context, some, { resolve_parents: true }));
    expect(cost).toMatchObject({ wru: 0, requests: 2 + 20 + 2 });
    expect(cost.rru).toBeLessThanOrEqual(1 + 20 + 22 * 0.5);
  });

  it('dataset replicas are a read for each file, the content, and the locks', async () => {
    const count = (deep: boolean) => async (context: Context) =>
      expect(await Array.fromAsync(listDatasetReplicas(context, data('ds'), deep))).toHaveLength(1);
    const [locked, deep] = [await costOf(count(false)), await costOf(count(true))];
    expect(locked).toMatchObject({ wru: 0, requests: 7, roundTrips: 4 });
    expect(locked.rru).toBeLessThanOrEqual(2 + 250 + 12 + 1);
    expect(deep).toMatchObject({ wru: 0, requests: 6, roundTrips: 3 });
  });

  it('dataset replicas without a lock are two reads, however large the dataset', async () => {
    const id = (await getRse(catalogue.at().store.table, 'DISK'))?.id ?? '';
    const lock = { did: data('ds'), ruleId: '0'.repeat(32), rseId: id };
    await catalogue.store.write(async () => [deleteDatasetLock(lock)]);
    const cost = await costOf(async (context) =>
      expect(await Array.fromAsync(listDatasetReplicas(context, data('ds'), false))).toEqual([]),
    );
    await catalogue.store.write(async () => [insertDatasetLock({ ...lock, createdAt: 1 })]);
    expect(cost.rru).toBeLessThanOrEqual(3);
  });

  it('the datasets of an RSE are the locks there, the content, and a read per file of the datasets', async () => {
    const cost = await costOf(async (context) =>
      expect(await Array.fromAsync(listDatasetsPerRse(context, 'DISK'))).toHaveLength(2),
    );
    // Four shards of the locks of the RSE, and the locks of two datasets.
    expect(cost.rru).toBeLessThanOrEqual(1 + 2 + 251 + 12 + 4 + 2);
  });

  it('a change of a state is a read and a write', async () => {
    const files = [{ ...data('f1'), state: 'A' as const }];
    const cost = await costOf((context) => updateReplicas(context, { rse: 'DISK', files }));
    expect(cost).toEqual({ rru: 2, wru: 1, requests: 3, roundTrips: 2 });
  });

  it('registering files is two writes per file, in three round trips after the reads', async () => {
    const files = names.map((name) => Object.assign(data(`new.${name}`), { bytes: 1 }));
    const registration = { rse: 'DISK', files, ignore_availability: false };
    const cost = await costOf((context) => addReplicas(context, registration));
    // 2 for the batch, 12 for the list of new files.
    expect(cost.wru).toBeLessThanOrEqual(2 * 250 + 2 + 12);
    expect(cost.roundTrips).toBe(4);
    const again = await costOf((context) => addReplicas(context, registration));
    expect(again).toEqual({ rru: 251, wru: 0, requests: 4, roundTrips: 1 });
  });
});

describe('the content of an RSE', () => {
  it('changes with the replicas in the same commit', async () => {
    const { table } = catalogue.at().store;
    const id = (await getRse(table, 'DISK'))?.id ?? '';
    const content = async () => {
      const found = await Promise.all(
        shards.map((shard) => Array.fromAsync(listRseContent(catalogue.at().store.table, id, shard))),
      );
      return found.flat().map(({ name }) => name);
    };
    expect(await content()).toContain('f7');
    const files = ['f7', 'f8', 'f9'].map(data);
    await deleteReplicas(catalogue.at(), { rse: 'DISK', files, ignore_availability: false });
    const left = await content();
    for (const { name } of files) expect(left).not.toContain(name);
    expect(left).toContain('f10');
  });
});
