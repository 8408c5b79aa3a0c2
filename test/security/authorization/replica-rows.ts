import type { Maker } from './maker.ts';
import { plain, type Row, type Rows, type Who } from './row.ts';

const checked = { bytes: 10, adler32: '0cc737eb' };

const pfn = (name: string) => `file://nowhere.example.org/${name}`;

const change = (who: Who, path: string, body: (make: Maker, name: string) => object, look = allStates): Row => ({
  who,
  attempt: async (make) => {
    const name = await make.file();
    return { path, body: body(make, name), look: look(make, name) };
  },
});

function allStates({ scope }: Maker, name: string): string {
  return `/replicas/${scope}/${name}`;
}

const files = ({ scope, rse }: Maker, name: string, more: object = {}) => ({
  rse,
  files: [{ scope, name, ...more }],
});

/** Replicas of the owner's files; spec/replication.md 6.2 gives the owner more than Rucio does. */
export const replicaRows: Rows = {
  addReplicas: [
    {
      // The owner has a limit on the RSE.
      who: 'owner',
      attempt: ({ scope, rse, name }) => {
        const file = name();
        const body = { rse, files: [{ scope, name: file, ...checked }] };
        return { path: '/replicas', body, look: `/dids/${scope}/${file}` };
      },
    },
    {
      // On RSEs of these names no quota is needed, but a replica of a file is registered only by who answers for the file.
      who: 'owner',
      attempt: async ({ scope, file, rseName, as }) => {
        const [name, rse] = [await file(), `${rseName()}_USERDISK`];
        await as('post', `/rses/${rse}`, {});
        const body = { rse, files: [{ scope, name, ...checked }] };
        return { path: '/replicas', body, look: `/replicas/${scope}/${name}` };
      },
    },
    {
      who: 'owner',
      attempt: async ({ scope, name, rseName, as }) => {
        const [file, rse] = [name(), `${rseName()}_USERDISK`];
        await as('post', `/rses/${rse}`, {});
        return {
          path: '/replicas',
          body: { rse, files: [{ scope, name: file, ...checked }] },
          look: `/dids/${scope}/${file}`,
        };
      },
    },
  ],
  updateReplicas: [
    change('owner', '/replicas', (make, name) => files(make, name, { state: 'U' })),
    change('admin', '/replicas', (make, name) => files(make, name, { state: 'D' })),
  ],
  deleteReplicas: change('admin', '/replicas', (make, name) => files(make, name)),
  listReplicas: plain('any', () => '/replicas/list', { body: { dids: [] } }),
  getReplicas: {
    who: 'any',
    attempt: async (make) => ({ path: allStates(make, await make.file()) }),
  },
  listDatasetReplicas: {
    who: 'any',
    attempt: async ({ scope, dataset }) => ({ path: `/replicas/${scope}/${await dataset()}/datasets` }),
  },
  listDatasetReplicasBulk: {
    who: 'any',
    attempt: async ({ scope, dataset }) => ({
      path: '/replicas/datasets_bulk',
      body: { dids: [{ scope, name: await dataset() }] },
    }),
  },
  listDatasetReplicasVp: {
    who: 'any',
    attempt: async ({ scope, dataset }) => ({ path: `/replicas/${scope}/${await dataset()}/datasets_vp` }),
  },
  listDatasetsPerRse: plain('any', ({ rse }) => `/replicas/rse/${rse}`),
  dumpReplicas: plain('admin', ({ rse }) => `/replicas/dump?rse=${rse}`),
  listDeletableReplicas: plain('any', ({ rse }) => `/replicas/deletable?rse=${rse}`),
  setTombstone: change('admin', '/replicas/tombstone', ({ scope, rse }, name) => ({
    replicas: [{ scope, name, rse }],
  })),
  declareBadReplicas: change('root', '/replicas/bad', ({ scope, rse }, name) => ({
    replicas: [{ scope, name, rse }],
    reason: 'x',
  })),
  declareBadDids: change('root', '/replicas/bad/dids', ({ scope, rse }, name) => ({
    dids: [{ scope, name }],
    rse,
    reason: 'x',
  })),
  addBadPfns: change('root', '/replicas/bad/pfns', (_make, name) => ({ pfns: [pfn(name)], state: 'BAD', reason: 'x' })),
  listBadStates: plain('any', () => '/replicas/bad/states?limit=1'),
  summariseBadReplicas: plain('any', ({ rse }) => `/replicas/bad/summary?rse_expression=${rse}`),
  declareSuspiciousReplicas: change('any', '/replicas/suspicious', (_make, name) => ({
    pfns: [pfn(name)],
    reason: 'x',
  })),
  listSuspiciousReplicas: plain('any', ({ rse }) => `/replicas/suspicious?rse_expression=${rse}`),
  quarantineReplicas: {
    who: 'admin',
    refusal: '403 AccessDenied',
    attempt: ({ rse, name }) => ({
      path: '/replicas/quarantine',
      body: { rse, replicas: [{ path: `/x/${name()}` }] },
    }),
  },
  listDidsOfPfns: plain('any', () => '/replicas/dids', { status: 404, body: { pfns: [], rse: 'NONE' } }),
  redirect: plain('open', ({ scope, name }) => `/redirect/${scope}/${name()}`, { status: 404 }),
  redirectToMetalink: plain('open', ({ scope, name }) => `/redirect/${scope}/${name()}/metalink`, { status: 404 }),
  addTraces: plain('open', () => '/traces', { body: {} }),

  listRequests: plain('admin', ({ rse }) => `/requests/list?src_rse=${rse}&dst_rse=${rse}&request_states=Q`),
  listRequestsHistory: plain(
    'admin',
    ({ rse }) => `/requests/history/list?src_rse=${rse}&dst_rse=${rse}&request_states=Q`,
  ),
  leaseRequests: {
    who: 'admin',
    attempt: ({ rse }) => ({ path: '/requests/lease', body: { holder: 'mover', dst_rse: rse } }),
  },
  reportRequests: {
    who: 'admin',
    attempt: ({ rse, scope }) => ({
      path: '/requests/report',
      body: { rse, requests: [{ scope, name: 'none', lease: 'none', state: 'DONE' }] },
    }),
  },
  getRequestMetrics: plain('admin', () => '/requests/metrics'),
  listTransferLimits: plain('admin', () => '/requests/transfer_limits'),
  setTransferLimit: {
    who: 'admin',
    attempt: ({ rse }) => ({ path: '/requests/transfer_limits', body: { rse_expression: rse, max_transfers: 1 } }),
  },
  deleteTransferLimit: {
    who: 'admin',
    attempt: ({ rse }) => ({ path: '/requests/transfer_limits', body: { rse_expression: rse } }),
  },
  getRequest: plain('any', ({ scope, rse }) => `/requests/${scope}/none/${rse}`, { status: 404 }),
  getRequestHistory: plain('admin', ({ scope, rse }) => `/requests/history/${scope}/none/${rse}`, { status: 404 }),
};
