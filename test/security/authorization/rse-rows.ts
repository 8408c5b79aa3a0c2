import { plain, type Row, type Rows, type Who } from './row.ts';

/** A request about a new RSE, and the path that shows its effect. */
const change = (who: Who, rest: string, body?: unknown, look = ''): Row => ({
  who,
  attempt: async ({ newRse }) => {
    const rse = `/rses/${await newRse()}`;
    return { path: rse + rest, ...(body === undefined ? {} : { body }), look: rse + look };
  },
});

const protocol = {
  hostname: 'h',
  port: 1,
  impl: 'rucio.rse.protocols.posix.Default',
  prefix: '/x',
  domains: { lan: { read: 1, write: 1, delete: 1 }, wan: { read: 1, write: 1, delete: 1 } },
};

const changeProtocol = (rest: string, body?: unknown): Row => ({
  who: 'admin',
  attempt: async ({ newRse, as }) => {
    const protocols = `/rses/${await newRse()}/protocols`;
    await as('post', `${protocols}/file`, protocol);
    return { path: `${protocols}/file${rest}`, ...(body === undefined ? {} : { body }), look: protocols };
  },
});

const changeDistance = (by: 'distances' | 'attr', body?: unknown): Row => ({
  who: 'admin',
  attempt: async ({ newRse, rse, as }) => {
    const source = await newRse();
    const look = `/rses/${source}/distances/${rse}`;
    await as('post', look, { distance: 1 });
    return { path: `/rses/${source}/${by}/${rse}`, ...(body === undefined ? {} : { body }), look };
  },
});

const distance = (by: 'distances' | 'attr'): Row => plain('any', ({ rse }) => `/rses/${rse}/${by}/${rse}`);

/** RSEs have no owner (spec/rses.md 8). */
export const rseRows: Rows = {
  exportFleet: plain('root', () => '/export'),
  importFleet: {
    who: 'admin',
    attempt: ({ rseName }) => {
      const rse = rseName();
      return { path: '/import', body: { rses: { [rse]: { city: 'Bern' } } }, look: `/rses/${rse}` };
    },
  },
  listRses: plain('any', () => '/rses'),
  addRse: {
    who: 'admin',
    attempt: ({ rseName }) => {
      const path = `/rses/${rseName()}`;
      return { path, body: {}, look: path };
    },
  },
  getRse: plain('any', ({ rse }) => `/rses/${rse}`),
  updateRse: change('admin', '', { city: 'Bern' }),
  deleteRse: change('admin', ''),
  listRseAttributes: plain('any', ({ rse }) => `/rses/${rse}/attr`),
  addRseAttribute: [
    change('admin', '/attr/tier', { value: '1' }, '/attr'),
    {
      // A distance, written as an attribute.
      who: 'admin',
      attempt: async ({ newRse, rse }) => {
        const source = await newRse();
        return {
          path: `/rses/${source}/attr/${rse}`,
          body: { distance: 1 },
          look: `/rses/${source}/distances/${rse}`,
        };
      },
    },
  ],
  deleteRseAttribute: {
    who: 'admin',
    attempt: async ({ newRseOfCountry }) => {
      const look = `/rses/${await newRseOfCountry()}/attr`;
      return { path: `${look}/country`, look };
    },
  },
  getDistance: distance('distances'),
  getDistanceByAttribute: distance('attr'),
  addDistance: {
    who: 'admin',
    attempt: async ({ newRse, rse }) => {
      const path = `/rses/${await newRse()}/distances/${rse}`;
      return { path, body: { distance: 1 }, look: path };
    },
  },
  updateDistance: changeDistance('distances', { distance: 2 }),
  updateDistanceByAttribute: changeDistance('attr', { distance: 2 }),
  deleteDistance: changeDistance('distances'),
  listRseLimits: plain('any', ({ rse }) => `/rses/${rse}/limits`),
  setRseLimit: change('admin', '/limits', { name: 'MinFreeSpace', value: 1 }, '/limits'),
  deleteRseLimit: {
    who: 'admin',
    attempt: async ({ newRse, as }) => {
      const path = `/rses/${await newRse()}/limits`;
      await as('put', path, { name: 'MinFreeSpace', value: 1 });
      return { path, body: { name: 'MinFreeSpace' }, look: path };
    },
  },
  listQosPolicies: plain('any', ({ rse }) => `/rses/${rse}/qos_policy`),
  addQosPolicy: change('admin', '/qos_policy/FAST', undefined, '/qos_policy'),
  deleteQosPolicy: {
    who: 'admin',
    attempt: async ({ newRse, as }) => {
      const look = `/rses/${await newRse()}/qos_policy`;
      await as('post', `${look}/FAST`);
      return { path: `${look}/FAST`, look };
    },
  },
  // The shared RSE has no protocol.
  listProtocols: plain('any', ({ rse }) => `/rses/${rse}/protocols`, { status: 404 }),
  getProtocols: plain('any', ({ rse }) => `/rses/${rse}/protocols/file`),
  addProtocol: change('admin', '/protocols/file', protocol, '/protocols'),
  updateProtocol: changeProtocol('/h/1', { prefix: '/y' }),
  // Protocols without a port, or without a host, do not exist here.
  updateProtocolOfHost: { ...changeProtocol('/h', { prefix: '/y' }), status: 404 },
  updateProtocolOfScheme: { ...changeProtocol('', { prefix: '/y' }), status: 404 },
  deleteProtocol: changeProtocol('/h/1'),
  deleteProtocolsOfHost: changeProtocol('/h'),
  deleteProtocolsOfScheme: changeProtocol(''),
  lfnsToPfns: plain('any', ({ rse, scope }) => `/rses/${rse}/lfns2pfns?lfn=${scope}:x`, { status: 404 }),
  listRseUsages: plain('any', ({ rse }) => `/rses/${rse}/usage`),
  setRseUsage: change('root', '/usage', { source: 'storage', used: 1, free: 1 }, '/usage'),
  listRseUsageHistory: plain('any', ({ rse }) => `/rses/${rse}/usage/history`),
  listRseAccountUsage: plain('any', ({ rse }) => `/rses/${rse}/accounts/usage`),
};
