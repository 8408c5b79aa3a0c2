/** `rucio did …` */
import { beforeAll, describe, expect } from 'vitest';

import { asRoot, newScope, uniqueName } from '../../support/server.ts';
import { command, expectFailure, expectPrinted, expectSuccess } from '../support/cases.ts';
import { printedFields, tableRows } from '../support/client-home.ts';
import { root, user } from '../support/users.ts';

/** Declares the cases. */
export function didCommands(): void {
  let scope: string;
  beforeAll(async () => {
    scope = await newScope();
  });

  /** A new collection, as the command line writes it. */
  async function newCollection(type: 'DATASET' | 'CONTAINER', ...content: string[]): Promise<string> {
    const name = uniqueName(type.toLowerCase());
    await asRoot().post(`/dids/${scope}/${name}`, { type });
    const dids = content.map((did) => ({ scope, name: did.split(':')[1] }));
    if (dids.length > 0) await asRoot().post(`/dids/${scope}/${name}/dids`, { dids });
    return `${scope}:${name}`;
  }

  const path = (did: string) => `/dids/${did.replace(':', '/')}`;
  const readDid = async (did: string) => (await asRoot().get(path(did))).json();

  describe('DIDs', () => {
    command('did add', 'creates datasets and containers; a duplicate and a foreign scope fail', async () => {
      const did = `${scope}:${uniqueName('did')}`;
      expectPrinted(await root.rucio(`did add --type dataset --lifetime 3600 ${did}`), `Added ${did}`);
      expect(await readDid(did)).toMatchObject({ type: 'DATASET', expired_at: expect.any(String) });
      expectFailure(await root.rucio(`did add --type container ${did}`), 1, 'Data Identifier already exists!');
      expectFailure(await user.rucio(`did add ${did}.x`), 2, 'Access to the requested resource denied.');
    });

    command('did show', 'prints the fields of a DID; an unknown one fails', async () => {
      const did = await newCollection('CONTAINER', await newCollection('DATASET'));
      const fields = printedFields(expectSuccess(await root.rucio(`did show ${did}`)));
      expect(fields).toMatchObject({ scope, type: 'CONTAINER', account: 'root', open: 'True', length: '0' });
      expectFailure(await root.rucio(`did show ${scope}:none`), 1, `Data identifier '${scope}:none' not found`);
    });

    command('did content add', 'attaches; twice fails', async () => {
      const [dataset, container] = [await newCollection('DATASET'), await newCollection('CONTAINER')];
      const attach = () => root.rucio(`did content add --to-did ${container} ${dataset}`);
      expectPrinted(await attach(), `DIDs successfully attached to ${container}`);
      expectFailure(await attach(), 1, 'Data identifier already added to the destination content.');
    });

    command('did content list', 'lists the direct content', async () => {
      const datasets = [await newCollection('DATASET'), await newCollection('DATASET')].toSorted();
      const container = await newCollection('CONTAINER', ...datasets);
      expect(tableRows(expectSuccess(await root.rucio(`did content list ${container}`)))).toEqual(
        datasets.map((did) => [did, 'DATASET']),
      );
    });

    command('did content remove', 'detaches', async () => {
      const dataset = await newCollection('DATASET');
      const container = await newCollection('CONTAINER', dataset);
      const outcome = await root.rucio(`did content remove --from-did ${container} ${dataset}`);
      expectPrinted(outcome, `DIDs successfully detached from ${container}`);
      expect((await asRoot().get(`${path(container)}/dids`)).lines()).toEqual([]);
    });

    command('did content history', 'lists what was detached', async () => {
      const dataset = await newCollection('DATASET');
      const container = await newCollection('CONTAINER', dataset);
      const [, name] = dataset.split(':');
      await asRoot().delete(`${path(container)}/dids`, { dids: [{ scope, name }] });
      const outcome = expectSuccess(await root.rucio(`did content history ${container}`));
      expect(tableRows(outcome)).toEqual([[dataset, 'DATASET']]);
    });

    command('did update', 'closes and opens; closing twice fails', async () => {
      const did = await newCollection('DATASET');
      expectPrinted(await root.rucio(`did update --close ${did}`), `${did} has been closed.`);
      expect(await readDid(did)).toMatchObject({ open: false });
      expectFailure(await root.rucio(`did update --close ${did}`), 1, 'cannot be changed');
      expectPrinted(await root.rucio(`did update --open ${did}`), `${did} has been reopened.`);
      expect(await readDid(did)).toMatchObject({ open: true });
    });

    command('did metadata set', 'sets a column or a free key', async () => {
      const did = await newCollection('DATASET');
      expectPrinted(await root.rucio(`did metadata set ${did} --key project --value beam24`), '');
      expectPrinted(await root.rucio(`did metadata set ${did} --key shift --value night`), '');
      const meta = await asRoot().get(`${path(did)}/meta?plugin=ALL`);
      expect(meta.json()).toMatchObject({ project: 'beam24', shift: 'night' });
    });

    command('did metadata list', 'prints columns, or the keys of a plugin', async () => {
      const did = await newCollection('DATASET');
      await asRoot().post(`${path(did)}/meta/shift`, { value: 'night' });
      expect(printedFields(expectSuccess(await root.rucio(`did metadata list ${did}`)))).toMatchObject({
        did_type: 'DATASET',
        is_open: 'True',
        project: 'None',
      });
      const free = await root.rucio(`did metadata list ${did} --plugin JSON`);
      expect(printedFields(expectSuccess(free))).toEqual({ shift: 'night' });
    });

    command('did metadata unset', 'removes a free key; an absent one fails', async () => {
      const did = await newCollection('DATASET');
      await asRoot().post(`${path(did)}/meta/shift`, { value: 'night' });
      const unset = () => root.rucio(`did metadata unset ${did} --key shift`);
      expectPrinted(await unset(), '');
      expect((await asRoot().get(`${path(did)}/meta?plugin=JSON`)).json()).toEqual({});
      expect(await unset()).toMatchObject({ status: 1 });
    });

    command('did remove', 'lets a DID expire in a day, and takes that back', async () => {
      const did = await newCollection('DATASET');
      expect(await root.rucio(`did remove ${did}`)).toMatchObject({
        status: 0,
        stdout: `rucio erase --undo ${did}\n`,
      });
      expect(await readDid(did)).toMatchObject({ expired_at: expect.any(String) });
      expect(await root.rucio(`did remove --undo ${did}`)).toMatchObject({ status: 0 });
      expect(await readDid(did)).toMatchObject({ expired_at: null });
    });

    command('did list', 'finds collections by a pattern', async () => {
      const dataset = await newCollection('DATASET');
      expect(tableRows(expectSuccess(await root.rucio(`did list ${scope}:*`)))).toContainEqual([dataset, 'DATASET']);
    });

    command('did list --filter', 'finds by metadata, of any type', async () => {
      const [dataset, campaign] = [await newCollection('DATASET'), uniqueName('mc')];
      const [, name] = dataset.split(':');
      await asRoot().post(`/dids/${scope}/${name}/meta/campaign`, { value: campaign });
      const found = await root.rucio(`did list --filter type=all,campaign=${campaign} ${scope}:*`);
      expect(tableRows(expectSuccess(found))).toEqual([[dataset, 'DATASET']]);
    });

    command('did list --parent', 'lists the parents', async () => {
      const dataset = await newCollection('DATASET');
      const container = await newCollection('CONTAINER', dataset);
      const outcome = expectSuccess(await root.rucio(`did list --parent ${dataset}`));
      expect(tableRows(outcome)).toEqual([[container, 'CONTAINER']]);
    });
  });
}
