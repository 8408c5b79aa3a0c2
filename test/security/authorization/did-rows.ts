import type { Maker } from './maker.ts';
import { plain, type Row, type Rows, type Who } from './row.ts';

const least = { copies: 1 };

/** A read of a dataset. */
const read = (rest: string): Row => ({
  who: 'any',
  attempt: async ({ scope, dataset }) => ({ path: `/dids/${scope}/${await dataset()}${rest}` }),
});

/** A change of a dataset; `look` is the path that shows it. */
const change = (who: Who, rest: string, body?: unknown, look = ''): Row => ({
  who,
  attempt: async ({ scope, dataset }) => {
    const did = `/dids/${scope}/${await dataset()}`;
    return { path: did + rest, ...(body === undefined ? {} : { body }), look: did + look };
  },
});

const withMetadata = async ({ scope, dataset, as }: Maker) => {
  const did = `/dids/${scope}/${await dataset()}`;
  await as('post', `${did}/meta/colour`, { value: 'red' });
  return { path: `${did}/meta?key=colour`, look: `${did}/meta?plugin=ALL` };
};

const sample = async ({ scope, dataset, file, name, as }: Maker) => {
  const from = await dataset();
  await as('post', `/dids/${scope}/${from}/dids`, { dids: [{ scope, name: await file() }] });
  return { from, to: name() };
};

/** DIDs in the owner's scope. The owner of a DID alone has no rights. */
export const didRows: Rows = {
  getBulkMetadata: plain('any', () => '/dids/bulkmeta', { body: { dids: [] } }),
  setDidsMetadataBulk: {
    who: 'owner',
    attempt: async ({ scope, dataset }) => {
      const name = await dataset();
      const body = { dids: [{ scope, name, meta: { colour: 'red' } }] };
      return { path: '/dids/bulkdidsmeta', body, look: `/dids/${scope}/${name}/meta?plugin=ALL` };
    },
  },
  getMetadata: read('/meta'),
  setMetadataBulk: [
    change('owner', '/meta', { meta: { colour: 'red' } }, '/meta?plugin=ALL'),
    change('nobody', '/meta', { meta: { bytes: 1 } }, '/meta?plugin=ALL'),
  ],
  setMetadata: [
    change('owner', '/meta/colour', { value: 'red' }, '/meta?plugin=ALL'),
    change('nobody', '/meta/account', { value: 'root' }, '/meta?plugin=ALL'),
  ],
  deleteMetadata: { who: 'owner', attempt: withMetadata },
  listContentHistory: read('/dids/history'),
  listBulkFiles: plain('any', () => '/dids/bulkfiles', { body: { dids: [] } }),
  listByGuid: plain('any', () => '/dids/00000000-1111-4222-8333-444444444444/guid', { status: 404 }),
  listNewDids: plain('any', () => '/dids/new?limit=1'),
  createSample: {
    who: 'owner',
    attempt: async (make) => {
      const { scope } = make;
      const { from, to } = await sample(make);
      const body = { input_scope: scope, input_name: from, output_scope: scope, output_name: to, nbfiles: 1 };
      return { path: '/dids/sample', body, look: `/dids/${scope}/${to}` };
    },
  },
  createSampleByPath: {
    who: 'owner',
    attempt: async (make) => {
      const { scope } = make;
      const { from, to } = await sample(make);
      return { path: `/dids/${scope}/${from}/${scope}/${to}/1/sample`, look: `/dids/${scope}/${to}` };
    },
  },
  // There is no deleted DID: allowed callers get a 404.
  resurrect: {
    who: 'admin',
    attempt: ({ scope, name }) => ({ path: '/dids/resurrect', body: [{ scope, name: name() }] }),
    status: 404,
  },
  listFollowers: read('/follow'),
  follow: {
    who: 'any',
    attempt: async ({ scope, dataset, owner }) => {
      const path = `/dids/${scope}/${await dataset()}/follow`;
      return { path, body: { account: owner }, look: path };
    },
  },
  unfollow: {
    who: 'owner',
    attempt: async ({ scope, dataset, owner, as }) => {
      const path = `/dids/${scope}/${await dataset()}/follow`;
      await as('post', path, { account: owner });
      return { path, body: { account: owner }, look: path };
    },
  },
  searchDids: plain('any', ({ scope }) => `/dids/${scope}/dids/search?name=none`),
  searchDidsExtended: plain('any', ({ scope }) => `/dids/${scope}/dids/search_extended?name=none`),
  listRules: read('/rules'),
  listAssociatedRules: {
    who: 'any',
    attempt: async ({ scope, file }) => ({ path: `/dids/${scope}/${await file()}/associated_rules` }),
  },
  addDids: [
    {
      who: 'owner',
      attempt: ({ scope, name }) => {
        const did = { scope, name: name(), type: 'DATASET' };
        return { path: '/dids', body: [did], look: `/dids/${scope}/${did.name}` };
      },
    },
    {
      // With a rule of another account.
      who: 'admin',
      attempt: ({ scope, name, rse }) => {
        const rules = [{ ...least, rse_expression: rse, account: 'root' }];
        const did = { scope, name: name(), type: 'DATASET', rules };
        return { path: '/dids', body: [did], look: `/dids/${scope}/${did.name}` };
      },
    },
  ],
  attachDidsToDids: {
    who: 'owner',
    attempt: async ({ scope, dataset, file }) => {
      const name = await dataset();
      const body = [{ scope, name, dids: [{ scope, name: await file() }] }];
      return { path: '/dids/attachments', body, look: `/dids/${scope}/${name}/dids` };
    },
  },
  listScope: plain('any', ({ scope }) => `/dids/${scope}/?limit=1`),
  addDid: [
    {
      who: 'owner',
      attempt: ({ scope, name }) => {
        const path = `/dids/${scope}/${name()}`;
        return { path, body: { type: 'DATASET' }, look: path };
      },
    },
    {
      who: 'admin',
      attempt: ({ scope, name, rse }) => {
        const path = `/dids/${scope}/${name()}`;
        const rules = [{ ...least, rse_expression: rse, account: 'root' }];
        return { path, body: { type: 'DATASET', rules }, look: path };
      },
    },
  ],
  getDid: read(''),
  getDidStatus: read('/status'),
  setStatus: change('owner', '/status', { open: false }),
  listContent: read('/dids'),
  attachDids: {
    who: 'owner',
    attempt: async ({ scope, dataset, file }) => {
      const path = `/dids/${scope}/${await dataset()}/dids`;
      return { path, body: { dids: [{ scope, name: await file() }] }, look: path };
    },
  },
  detachDids: {
    who: 'owner',
    attempt: async ({ scope, dataset, file, as }) => {
      const path = `/dids/${scope}/${await dataset()}/dids`;
      const body = { dids: [{ scope, name: await file() }] };
      await as('post', path, body);
      return { path, body, look: path };
    },
  },
  listFiles: read('/files'),
  listParents: read('/parents'),

  listArchiveContent: {
    who: 'any',
    attempt: async ({ scope, file }) => ({ path: `/archives/${scope}/${await file()}/files` }),
  },
  listDatasetLocksBulk: plain('any', () => '/locks/bulk_locks_for_dids', { body: { dids: [] } }),
  listDatasetLocksOnRse: plain('any', ({ rse }) => `/locks/${rse}?did_type=dataset`),
  listDatasetLocks: {
    who: 'any',
    attempt: async ({ scope, dataset }) => ({ path: `/locks/${scope}/${await dataset()}?did_type=dataset` }),
  },
  listKeys: plain('any', () => '/meta_conventions'),
  listValues: plain('any', ({ name }) => `/meta_conventions/${name()}`),
  addKeyOrValue: [
    {
      who: 'admin',
      attempt: ({ name }) => {
        const path = `/meta_conventions/${name()}`;
        return { path, body: { key_type: 'ALL', value_type: null, value_regexp: null }, look: path };
      },
    },
    {
      who: 'admin',
      attempt: async ({ name, as }) => {
        const path = `/meta_conventions/${name()}`;
        await as('post', path, { key_type: 'ALL', value_type: null, value_regexp: null });
        return { path, body: { value: 'red' }, look: path };
      },
    },
  ],
};
