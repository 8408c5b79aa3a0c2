import { beforeAll, describe, expect, it } from 'vitest';

import { expireDids } from '../../../lib/background/expire-dids.ts';
import { setLimitOnRse } from '../../../lib/operations/accounts/set-account-limits.ts';
import { showDid } from '../../../lib/operations/dids/get-did.ts';
import { getMetadata } from '../../../lib/operations/dids/get-metadata.ts';
import { resurrect } from '../../../lib/operations/dids/resurrect.ts';
import { setStatus } from '../../../lib/operations/dids/set-status.ts';
import { type Catalogue, data, newCatalogue } from './catalogue.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await newCatalogue();
  await setLimitOnRse(catalogue.at(), { account: 'root', rse: 'DISK', bytes: -1 });
});

const run = (now = Date.now(), store = catalogue.store) => expireDids({ store: store.begin(), now });
const get = (name: string) => showDid(catalogue.at(), data(name), { dynamic: false });
const notFound = { name: 'DataIdentifierNotFound' };

const dueBy = (lifetime: number) => ({ lifetime });

describe('resurrect (dids 2.23)', () => {
  it('restores a deleted DID with its columns, but empty, without lifetime and free metadata', async () => {
    await catalogue.add('lazarus', 'DATASET', {
      lifetime: -10,
      meta: { project: 'p', shift: 'night', is_archive: true },
    });
    await catalogue.attach('lazarus', ['l1'], 10);
    await setStatus(catalogue.at(), data('lazarus'), { open: false });
    const before = await getMetadata(catalogue.at(), data('lazarus'), 'DID_COLUMN');
    await run();
    await resurrect(catalogue.at(), [data('lazarus')]);
    const after = await getMetadata(catalogue.at(), data('lazarus'), 'ALL');
    const changed = { expired_at: null, length: 0, bytes: 0, updated_at: expect.any(String) };
    expect(after).toEqual({ ...before, ...changed });
    expect(after).toMatchObject({ project: 'p', is_archive: true, is_open: false });
    await expect(resurrect(catalogue.at(), [data('lazarus')])).rejects.toMatchObject(notFound);
  });

  it('is 409 if a new DID has the same name, and then restores none of the others', async () => {
    for (const name of ['one', 'two']) await catalogue.add(name, 'DATASET', dueBy(-10));
    await run();
    await catalogue.add('two', 'CONTAINER');
    const both = [data('one'), data('two')];
    await expect(resurrect(catalogue.at(), both)).rejects.toMatchObject({ name: 'DataIdentifierAlreadyExists' });
    await expect(get('one')).rejects.toMatchObject(notFound);
    await resurrect(catalogue.at(), [data('one')]);
    expect(await get('one')).toMatchObject({ type: 'DATASET' });
  });

  it('restores the latest of several deleted DIDs of one name', async () => {
    await catalogue.add('twice', 'DATASET', dueBy(-10));
    await run();
    await catalogue.add('twice', 'CONTAINER', dueBy(-10));
    await run();
    await resurrect(catalogue.at(), [data('twice')]);
    expect(await get('twice')).toMatchObject({ type: 'CONTAINER', expired_at: null });
  });
});
