/** `rucio opendata …` */
import { describe, expect } from 'vitest';

import { asRoot, newScope, uniqueName } from '../../support/server.ts';
import { command, expectFailure, expectPrinted, expectSuccess } from '../support/cases.ts';
import { printedFields, tableRows } from '../support/client-home.ts';
import { user } from '../support/users.ts';

/** A closed dataset of an ordinary account, as `scope:name`. */
async function newDataset(): Promise<string> {
  const [scope, name] = [await newScope({ owner: user.account }), uniqueName('od')];
  expect((await asRoot().post(`/dids/${scope}/${name}`, { type: 'DATASET' })).status).toBe(201);
  expect((await asRoot().put(`/dids/${scope}/${name}/status`, { open: false })).status).toBe(200);
  return `${scope}:${name}`;
}

async function newEntry(): Promise<string> {
  const did = await newDataset();
  expect((await asRoot().post(`/opendata/dids/${did.replace(':', '/')}`)).status).toBe(201);
  return did;
}

/** Declares the cases. */
export function opendataCommands(): void {
  describe('open data', () => {
    command('opendata did add', 'adds a DID of the own scope as a draft; twice fails', async () => {
      const did = await newDataset();
      expectPrinted(await user.rucio(`opendata did add ${did}`), '');
      expectFailure(await user.rucio(`opendata did add ${did}`), 1, 'already exists');
      expect((await asRoot().get(`/opendata/dids/${did.replace(':', '/')}`)).json()).toMatchObject({ state: 'DRAFT' });
    });

    command('opendata did update', 'publishes a DID, and sets metadata, DOI and record', async () => {
      const [did, doi, record] = [
        await newEntry(),
        `10.1234/${uniqueName('doi')}`,
        Math.floor(Math.random() * 2 ** 31),
      ];
      const update = `opendata did update ${did} --state public --doi ${doi} --record-id ${record} --meta {"a":1}`;
      expect(printedFields(expectSuccess(await user.rucio(update)))).toMatchObject({
        doi_new: doi,
        state_new: 'PUBLIC',
      });
      expect((await asRoot().get(`/opendata/public/dids/${did.replace(':', '/')}?meta=1`)).json()).toMatchObject({
        state: 'PUBLIC',
        doi,
        record_id: record,
        meta: { a: 1 },
      });
    });

    command('opendata did show', 'prints the fields of an entry; an unknown one fails', async () => {
      const did = await newEntry();
      expect(printedFields(expectSuccess(await user.rucio(`opendata did show ${did} --meta`)))).toMatchObject({
        state: 'DRAFT',
        meta: '{}',
      });
      expectFailure(await user.rucio(`opendata did show ${did} --public`), 1, 'not found');
    });

    command('opendata did list', 'lists entries with their states, those of a state, and what is public', async () => {
      const [draft, published] = [await newEntry(), await newEntry()];
      await asRoot().put(`/opendata/dids/${published.replace(':', '/')}`, { state: 'public' });
      const rows = tableRows(expectSuccess(await user.rucio('opendata did list')));
      expect(rows).toEqual(
        expect.arrayContaining([
          [draft, 'DRAFT'],
          [published, 'PUBLIC'],
        ]),
      );
      const names = async (options: string) =>
        expectSuccess(await user.rucio(`opendata did list --short ${options}`)).stdout.split('\n');
      expect(await names('--state draft')).toContain(draft);
      expect(await names('--public')).toContain(published);
      expect(await names('--public')).not.toContain(draft);
    });

    command('opendata did remove', 'removes a draft; what was published stays', async () => {
      const did = await newEntry();
      expectPrinted(await user.rucio(`opendata did remove ${did}`), '');
      const other = await newEntry();
      await asRoot().put(`/opendata/dids/${other.replace(':', '/')}`, { state: 'public' });
      expectFailure(await user.rucio(`opendata did remove ${other}`), 1, 'not in a valid state for deletion');
    });
  });
}
