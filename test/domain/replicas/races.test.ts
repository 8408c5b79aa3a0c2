import { beforeEach, describe, expect, it } from 'vitest';

import { expireDids } from '../../../lib/background/expire-dids.ts';
import { clock } from '../../../lib/clock.ts';
import type { Context } from '../../../lib/domain/values/context.ts';
import { attachDids } from '../../../lib/operations/dids/attach-dids.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { deleteReplicas } from '../../../lib/operations/replicas/delete-replicas.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { addRse } from '../../../lib/operations/rses/add-rse.ts';
import { getDid, getFiles } from '../../../lib/store/entities/did.ts';
import { listChildren } from '../../../lib/store/entities/edge.ts';
import { listRses } from '../../../lib/store/entities/rse.ts';
import { type Catalogue, data, interrupted, newCatalogue } from '../dids/catalogue.ts';

let catalogue: Catalogue;

beforeEach(async () => {
  catalogue = await newCatalogue();
  await addRse(catalogue.at(), 'TAPE', {});
});

const files = (names: readonly string[]) => names.map((name) => Object.assign(data(name), { bytes: 1 }));
const registration = (rse: string, names: readonly string[]) => ({
  rse,
  files: files(names),
  ignore_availability: false,
});
const deletion = (rse: string, names: readonly string[]) => ({
  rse,
  files: names.map(data),
  ignore_availability: false,
});

/** A request that conflicts with another one, which commits before its first plan. */
function overtakenBy(run: (context: Context) => Promise<unknown>): Context {
  let isFirst = true;
  const interrupt = async () => {
    if (!isFirst) return;
    isFirst = false;
    await run(catalogue.at());
  };
  return catalogue.at(Date.now(), interrupted(catalogue.store, interrupt));
}

/** The names of the RSEs with replicas of files; undefined for a file that does not exist. */
async function placesOf(names: readonly string[]): Promise<(string[] | undefined)[]> {
  const { table } = catalogue.at().store;
  const rses = new Map((await Array.fromAsync(listRses(table))).map(({ id, rse }) => [id, rse]));
  const found = new Map((await getFiles(table, names.map(data))).map((did) => [did.name, did]));
  return names.map((name) => {
    const replicas = found.get(name)?.replicas;
    return replicas === undefined ? undefined : Array.from(replicas.keys(), (id) => rses.get(id) ?? id).toSorted();
  });
}

/** In one transaction, and in a staged commit. */
const sizes = [['3 files'] as const, ['30 files'] as const].map(([what]) => [what, Number.parseInt(what, 10)] as const);

describe.each(sizes)('registering %s (replication 1.2)', (_what, count) => {
  const names = Array.from({ length: count }, (_value, index) => `f${index}`);

  it.each(['DISK', 'TAPE'])('keeps those that are concurrently registered on %s', async (rse) => {
    const first = overtakenBy((other) => addReplicas(other, registration(rse, names)));
    await addReplicas(first, registration('DISK', names));
    expect(await placesOf(names)).toEqual(names.map(() => [...new Set(['DISK', rse])].toSorted()));
  });

  it('creates those again that are concurrently deleted', async () => {
    await addReplicas(catalogue.at(), registration('TAPE', names));
    const overtaken = overtakenBy((other) => deleteReplicas(other, deletion('TAPE', names)));
    await addReplicas(overtaken, registration('DISK', names));
    expect(await placesOf(names)).toEqual(names.map(() => ['DISK']));
  });

  it('and attaching them keeps those that are concurrently registered', async () => {
    await catalogue.add('ds', 'DATASET');
    const overtaken = overtakenBy((other) => addReplicas(other, registration('TAPE', names)));
    await attachDids(overtaken, data('ds'), files(names), 'DISK');
    expect(await placesOf(names)).toEqual(names.map(() => ['DISK', 'TAPE']));
  });
});

describe.each(sizes)('deleting the last replicas of %s (replication 1.3)', (_what, count) => {
  const names = Array.from({ length: count }, (_value, index) => `f${index}`);

  beforeEach(async () => {
    await catalogue.add('ds', 'DATASET');
    await catalogue.attach('ds', names, 1);
  });

  it('keeps the files that concurrently get another replica', async () => {
    const overtaken = overtakenBy((other) => addReplicas(other, registration('TAPE', names.slice(1))));
    await deleteReplicas(overtaken, deletion('DISK', names));
    const [gone, ...left] = await placesOf(names);
    expect(gone).toBeUndefined();
    expect(left).toEqual(left.map(() => ['TAPE']));
    const { table } = catalogue.at().store;
    expect(await getDid(table, data('ds'))).toMatchObject({ length: count - 1, bytes: count - 1 });
  });

  it('detaches them, minutes later, from a dataset to which they were concurrently attached', async () => {
    await catalogue.add('other', 'DATASET');
    await catalogue.attach('other', ['stays'], 1);
    const overtaken = overtakenBy((other) => attachDids(other, data('other'), names.map(data), undefined));
    await deleteReplicas(overtaken, deletion('DISK', names));
    await expireDids({ store: catalogue.at().store, now: clock.now() + 360_000 });
    const { table } = catalogue.at().store;
    expect(await getDid(table, data('other'))).toMatchObject({ length: 1, bytes: 1 });
    const children = await Array.fromAsync(listChildren(table, data('other')));
    expect(children.map(({ child }) => child.name)).toEqual(['stays']);
  });

  it('is 404 if a concurrent request deletes them first, and so is a change of their state', async () => {
    const overtaken = overtakenBy((other) => deleteReplicas(other, deletion('DISK', names)));
    await expect(deleteReplicas(overtaken, deletion('DISK', names))).rejects.toMatchObject({ name: 'ReplicaNotFound' });
    await addReplicas(catalogue.at(), registration('DISK', names));
    const late = overtakenBy((other) => deleteReplicas(other, deletion('DISK', names)));
    const change = { rse: 'DISK', files: names.map((name) => Object.assign(data(name), { state: 'U' as const })) };
    await expect(updateReplicas(late, change)).rejects.toMatchObject({ name: 'ReplicaNotFound' });
  });
});
