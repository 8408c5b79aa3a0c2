import { setTimeout as sleep } from 'node:timers/promises';

import { beforeAll, describe, expect, it, vi } from 'vitest';

import { eraseHiddenDid, hideExpiredDid } from '../../../lib/background/erase-did.ts';
import { expireDids } from '../../../lib/background/expire-dids.ts';
import type { Placed } from '../../../lib/domain/paging/page.ts';
import { log } from '../../../lib/log.ts';
import { setLimitOnRse } from '../../../lib/operations/accounts/set-account-limits.ts';
import { addDids } from '../../../lib/operations/dids/add-dids.ts';
import { attachDids } from '../../../lib/operations/dids/attach-dids.ts';
import { detachDids } from '../../../lib/operations/dids/detach-dids.ts';
import { showDid } from '../../../lib/operations/dids/get-did.ts';
import { getMetadata } from '../../../lib/operations/dids/get-metadata.ts';
import { listContent, listParents } from '../../../lib/operations/dids/list-content.ts';
import { setDidsMetadataBulk, setMetadata } from '../../../lib/operations/dids/set-metadata.ts';
import { deleteReplicas } from '../../../lib/operations/replicas/delete-replicas.ts';
import { listChildren } from '../../../lib/store/entities/edge.ts';
import { keyOf } from '../../../lib/store/items/plan.ts';
import { type Catalogue, data, interrupted, newCatalogue } from './catalogue.ts';

const minute = 60_000;

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await newCatalogue();
  await setLimitOnRse(catalogue.at(), { account: 'root', rse: 'DISK', bytes: -1 });
  await catalogue.add('outer', 'CONTAINER');
  await catalogue.add('holder', 'DATASET');
});

const run = (now = Date.now(), store = catalogue.store) => expireDids({ store: store.begin(), now });
const get = (name: string) => showDid(catalogue.at(), data(name), { dynamic: false });
const notFound = { name: 'DataIdentifierNotFound' };
const names = async (list: AsyncIterable<Placed<{ name: string }>>) => Array.fromAsync(list, ({ row }) => row.name);

const dueBy = (lifetime: number) => ({ lifetime });

describe('expiry concurrent with other requests', () => {
  it('refuses an attachment to a DID that is deleted between its reading and its writing', async () => {
    await catalogue.add('race1', 'DATASET', dueBy(-10));
    await catalogue.attach('holder', ['known'], 1);
    let first = true;
    const store = interrupted(catalogue.store, async () => {
      if (first) await run();
      first = false;
    });
    const attaching = attachDids(catalogue.at(Date.now(), store), data('race1'), [data('known')], undefined);
    await expect(attaching).rejects.toMatchObject(notFound);
    await catalogue.add('race1', 'DATASET');
    expect(await names(listContent(catalogue.at(), data('race1')))).toEqual([]);
  });

  it('removes, minutes later, an attachment that was written after its child was deleted', async () => {
    await catalogue.add('race2', 'DATASET', dueBy(-10));
    await catalogue.attach('race2', ['r1', 'r2'], 5);
    let first = true;
    const store = interrupted(catalogue.store, async () => {
      if (first) await run();
      first = false;
    });
    await attachDids(catalogue.at(Date.now(), store), data('outer'), [data('race2')], undefined);
    expect(await get('outer')).toMatchObject({ length: 2, bytes: 10 });
    await run(Date.now() + 6 * minute);
    expect(await get('outer')).toMatchObject({ length: 0, bytes: 0 });
    expect(await names(listContent(catalogue.at(), data('outer')))).toEqual([]);
  });

  it('does not change the size of an archive to which a deleted file was attached', async () => {
    for (const number of ['one', 'two']) {
      await catalogue.add(`of-${number}`, 'DATASET');
      await catalogue.attach(`of-${number}`, [`${number}.zip`], 1000);
    }
    await attachDids(catalogue.at(), data('one.zip'), [{ ...data('part'), bytes: 7 }], undefined);
    let first = true;
    const store = interrupted(catalogue.store, async () => {
      if (first) await attachDids(catalogue.at(), data('two.zip'), [data('part')], undefined);
      first = false;
    });
    const deletion = { rse: 'DISK', files: [data('one.zip')], ignore_availability: false };
    await deleteReplicas(catalogue.at(Date.now(), store), deletion);
    await expect(get('part')).rejects.toMatchObject(notFound);
    const constituents = () => Array.fromAsync(listChildren(catalogue.at().store.table, data('two.zip')));
    expect(await constituents()).toHaveLength(1);
    await run(Date.now() + 6 * minute);
    expect(await constituents()).toEqual([]);
    expect(await get('two.zip')).toMatchObject({ bytes: 1000, length: 1 });
  });

  it('keeps the attachments of a new DID of the same name', async () => {
    await catalogue.add('again', 'DATASET', dueBy(-10));
    await run();
    await catalogue.add('again', 'DATASET');
    await catalogue.attach('outer', ['again']);
    await run(Date.now() + 6 * minute);
    expect(await names(listContent(catalogue.at(), data('outer')))).toEqual(['again']);
    await detachDids(catalogue.at(), data('outer'), [data('again')]);
  });

  it('keeps the attachment of a new DID of the same name by a request that began before the DID was created', async () => {
    await catalogue.add('reborn', 'DATASET', dueBy(-10));
    await run();
    const began = Date.now();
    await sleep(5);
    await catalogue.add('reborn', 'DATASET');
    await attachDids(catalogue.at(began), data('outer'), [data('reborn')], undefined);
    await run(Date.now() + 6 * minute);
    expect(await names(listContent(catalogue.at(), data('outer')))).toEqual(['reborn']);
    await detachDids(catalogue.at(), data('outer'), [data('reborn')]);
  });

  it('sets events of files in a dataset whose deletion takes long, as the dataset no longer counts', async () => {
    for (const count of [1, 60]) {
      const files = Array.from({ length: count }, (_value, index) => `slow-${count}-${index}`);
      const [kept, going] = [`kept-${count}`, `going-${count}`];
      await catalogue.add(kept, 'DATASET');
      await catalogue.add(going, 'DATASET');
      await catalogue.attach(kept, files, 1);
      await attachDids(catalogue.at(), data(going), files.map(data), undefined);
      expect(await hideExpiredDid(catalogue.store, data(going), Date.now(), () => true)).toBe(true);
      const described = files.map((name) => ({ scope: 'data', name, meta: { events: 4 } }));
      await setDidsMetadataBulk(catalogue.at(), described);
      expect(await getMetadata(catalogue.at(), data(kept), 'DID_COLUMN')).toMatchObject({ events: 4 * count });
      const erase = () => eraseHiddenDid(catalogue.store, data(going), Date.now(), Infinity);
      await vi.waitUntil(erase, { timeout: 20_000 });
      await catalogue.add(going, 'DATASET');
      expect(await getMetadata(catalogue.at(), data(going), 'DID_COLUMN')).toMatchObject({ length: 0, events: null });
      expect(await names(listContent(catalogue.at(), data(going)))).toEqual([]);
    }
  });

  it('sets metadata of the children of a container, while one of them is being deleted', async () => {
    const parents = Array.from({ length: 101 }, (_value, index) => `holds-${String(index).padStart(3, '0')}`);
    for (const name of ['lasting', 'passing']) await catalogue.add(name, 'DATASET');
    const holders = parents.map((name) => ({ ...data(name), type: 'CONTAINER' as const, dids: [data('passing')] }));
    await addDids(catalogue.at(), holders);
    const [last = ''] = parents.slice(-1);
    await catalogue.attach(last, ['lasting']);
    let first = true;
    const store = interrupted(catalogue.store, async () => {
      if (first) await hideExpiredDid(catalogue.store, data('passing'), Date.now(), () => true);
      first = false;
    });
    const change = { key: 'project', value: 'p7', recursive: true };
    await setMetadata(catalogue.at(Date.now(), store), data(last), change);
    expect(await names(listContent(catalogue.at(), data(last)))).toEqual(['lasting', 'passing']);
    expect(await getMetadata(catalogue.at(), data('lasting'), 'DID_COLUMN')).toMatchObject({ project: 'p7' });
  });

  it('leaves all or nothing of a concurrent bulk request', async () => {
    const attach = (name: string) =>
      catalogue.attach(
        name,
        Array.from({ length: 60 }, (_value, index) => `${name}-${index}`),
        1,
      );
    await catalogue.add('undisturbed', 'DATASET');
    const began = performance.now();
    await attach('undisturbed');
    const whole = performance.now() - began;
    for (let round = 0; round < 6; round += 1) {
      const name = `bulk${round}`;
      await catalogue.add(name, 'DATASET', dueBy(-10));
      const attaching = attach(name).then(
        () => 'attached',
        (error: Error) => error.name,
      );
      await sleep((round / 6) * whole);
      await run();
      expect(['attached', 'DataIdentifierNotFound']).toContain(await attaching);
      await run(Date.now() + 2 * minute);
      await run(Date.now() + 20 * minute);
      await expect(get(name)).rejects.toMatchObject(notFound);
      await catalogue.add(name, 'DATASET');
      expect(await names(listContent(catalogue.at(), data(name)))).toEqual([]);
      expect(await get(name)).toMatchObject({ length: 0 });
    }
  });

  it('goes on with others after a DID that can be neither deleted nor postponed', async () => {
    const children = Array.from({ length: 20 }, (_value, index) => `kept${String(index).padStart(2, '0')}`);
    for (const name of children) await catalogue.add(name, 'DATASET', dueBy(-10));
    const logged = vi.spyOn(log, 'error').mockImplementation(() => {});
    const store = interrupted(catalogue.store, async (writes) => {
      if (writes.some((write) => JSON.stringify(keyOf(write)).includes('kept03'))) throw new Error('the item is kept');
    });
    await expect(run(Date.now(), store)).rejects.toThrow('could not be postponed');
    logged.mockRestore();
    for (const name of children) {
      if (name === 'kept03') expect(await get(name)).toMatchObject({ name });
      else await expect(get(name)).rejects.toMatchObject(notFound);
    }
    expect(await run()).toMatchObject({ deleted: 1 });
  });

  it('has the same result after a crash at any write', async () => {
    await catalogue.add('above', 'CONTAINER');
    const logged = vi.spyOn(log, 'error').mockImplementation(() => {});
    for (let broken = 0; broken < 9; broken += 1) {
      const name = `crash${broken}`;
      await catalogue.add(name, 'DATASET', { lifetime: -10, rules: [{ copies: 1, rse_expression: 'DISK' }] });
      await catalogue.attach(name, [`${name}-a`, `${name}-b`], 3);
      await catalogue.attach('above', [name]);
      let writes = 0;
      const store = interrupted(catalogue.store, async () => {
        writes += 1;
        if (writes > broken) throw new Error('the function has crashed');
      });
      await run(Date.now(), store).catch(() => {});
      await run(Date.now() + 11 * minute);
      await expect(get(name)).rejects.toMatchObject(notFound);
      expect(await get('above')).toMatchObject({ length: 0, bytes: 0 });
      expect(await names(listParents(catalogue.at(), data(`${name}-a`)))).toEqual([]);
    }
    expect(logged).toHaveBeenCalled();
    logged.mockRestore();
  });
});
