import { beforeAll, describe, expect, it } from 'vitest';

import { expireDids } from '../../../lib/background/expire-dids.ts';
import { clock } from '../../../lib/clock.ts';
import { insertDatasetLock, getDatasetLocks } from '../../../lib/store/entities/dataset-lock.ts';
import { asFile, getDid } from '../../../lib/store/entities/did.ts';
import { getRse } from '../../../lib/store/entities/rse.ts';
import { getRule, listRuleIds } from '../../../lib/store/entities/rule.ts';
import { listTransfersTo } from '../../../lib/store/entities/transfer.ts';
import { placeRule, readRule } from '../replicas/place-rule.ts';
import { type Catalogue, data, newCatalogue } from './catalogue.ts';

let catalogue: Catalogue;
let disk: string;
beforeAll(async () => {
  catalogue = await newCatalogue();
  disk = (await getRse(catalogue.at().store.table, 'DISK'))?.id ?? '';
});

const table = () => catalogue.at().store.table;
const run = (now = Date.now()) => expireDids({ store: catalogue.store.begin(), now });
const replicaOf = async (name: string) => asFile(await getDid(table(), data(name)))?.replicas.get(disk);

/** An expired dataset with files. */
async function newDataset(name: string, files: readonly string[], meta: object = {}): Promise<void> {
  await catalogue.add(name, 'DATASET', { lifetime: -10, meta } as object);
  await catalogue.attach(name, files, 7);
}

const ruleOn = (name: string, locks: Parameters<typeof placeRule>[2]['locks'], more: object = {}) =>
  placeRule(catalogue, disk, { did: data(name), locks, ...more });

describe('the rules of an expired DID (replication 3.10)', () => {
  it('are deleted with their locks, and replicas without other locks may be deleted at once', async () => {
    await newDataset('ds', ['f', 'g', 'h']);
    await catalogue.add('other', 'DATASET');
    const id = await ruleOn('ds', { f: { lock: 'O' }, g: { lock: 'O' }, h: { state: 'C', lock: 'R' } });
    const kept = await ruleOn('other', { g: { lock: 'O' } });
    const lock = { did: data('ds'), ruleId: id, rseId: disk, createdAt: Date.now() };
    await catalogue.store.write(async () => [insertDatasetLock(lock)]);
    expect(await run()).toMatchObject({ deleted: 1, postponed: 0 });

    expect(await getRule(table(), id)).toBeUndefined();
    expect(await listRuleIds(table(), data('ds'))).toEqual([]);
    expect(await getDatasetLocks(table(), data('ds'))).toEqual([]);
    expect(await Array.fromAsync(listTransfersTo(table(), disk))).toEqual([]);
    expect(await replicaOf('f')).toMatchObject({ state: 'A', tombstone: 0 });
    expect(await replicaOf('f')).not.toHaveProperty('locks');
    expect(await replicaOf('h')).toMatchObject({ state: 'U', tombstone: 0 });
    expect(Object.keys((await replicaOf('g'))?.locks ?? {})).toEqual([kept]);
    expect(await replicaOf('g')).not.toHaveProperty('tombstone');
    expect(await readRule(catalogue, kept)).toMatchObject({ ok: 1 });
  });

  it('keep the replicas while there is space, if the DID has purge_replicas = false', async () => {
    await newDataset('spared', ['i'], { purge_replicas: false });
    await ruleOn('spared', { i: { lock: 'O' } }, { purgeReplicas: true });
    expect(await run()).toMatchObject({ deleted: 1 });
    expect((await replicaOf('i'))?.tombstone).toBeGreaterThan(0);
  });

  it('are all kept, like the DID, while one of them is locked', async () => {
    await newDataset('held', ['j']);
    const id = await ruleOn('held', { j: { lock: 'O' } });
    await ruleOn('held', { j: { lock: 'O' } }, { locked: true });
    expect(await run()).toMatchObject({ deleted: 0, postponed: 1 });
    expect(await readRule(catalogue, id)).toMatchObject({ ok: 1 });
    expect(Object.keys((await replicaOf('j'))?.locks ?? {})).toHaveLength(2);
  });

  it('are deleted in several runs if they have many locks', async () => {
    const files = Array.from({ length: 1_200 }, (_value, index) => `n${index}`);
    await newDataset('large', files.slice(0, 800));
    await catalogue.attach('large', files.slice(800), 7);
    const id = await ruleOn('large', Object.fromEntries(files.map((name) => [name, { lock: 'O' }] as const)));
    const brief = () => expireDids({ store: catalogue.store.begin(), now: clock.now() + 120_000 * runs }, 0);
    let runs = 0;
    for (; (await getRule(table(), id)) !== undefined && runs < 10; runs += 1) await brief();
    expect(runs).toBeGreaterThan(1);
    await run(Date.now() + 120_000 * (runs + 1));
    const left = await Promise.all(files.slice(0, 1_200).map(replicaOf));
    expect(left.filter((replica) => replica?.locks !== undefined || replica?.tombstone !== 0)).toEqual([]);
    expect(await getDid(table(), data('large'))).toBeUndefined();
  });
});
