import type { Maker } from './maker.ts';
import { plain, type Row, type Rows } from './row.ts';

const option = async ({ name, as }: Maker) => {
  const section = `/config/${name()}`;
  await as('put', `${section}/colour/red`);
  return section;
};

const openDataset = async ({ scope, dataset, as }: Maker) => {
  const did = `${scope}/${await dataset()}`;
  await as('post', `/opendata/dids/${did}`);
  return `/opendata/dids/${did}`;
};

const ofOption = (rest: string): Row => ({
  who: 'admin',
  attempt: async (make) => {
    const section = await option(make);
    return { path: section + rest, look: section };
  },
});

/** Log-in, configuration, and all other routes. */
export const otherRows: Rows = {
  logIn: {
    who: 'open',
    attempt: ({ owner, login: { username, password } }) => ({
      path: '/auth/userpass',
      headers: { 'X-Rucio-Account': owner, 'X-Rucio-Username': username, 'X-Rucio-Password': password },
    }),
  },
  redirectToPage: plain('open', () => '/', { status: 303 }),
  getPage: plain('open', () => '/ui'),
  getPageSettings: plain('open', () => '/ui/settings'),
  // The names of files change with the sources.
  getPageFile: plain('open', () => '/ui/none.js', { status: 404 }),
  // They cannot succeed here: no certificate and no ticket comes through the local server.
  logInWithX509: plain('open', () => '/auth/x509', { status: 401 }),
  logInWithProxy: plain('open', () => '/auth/x509_proxy', { status: 401 }),
  logInToWebUi: plain('open', () => '/auth/x509/webui', { status: 401 }),
  getSshChallenge: {
    who: 'open',
    attempt: ({ owner }) => ({ path: '/auth/ssh_challenge_token', headers: { 'X-Rucio-Account': owner } }),
  },
  logInWithSsh: {
    who: 'open',
    attempt: ({ owner }) => ({
      path: '/auth/ssh',
      headers: { 'X-Rucio-Account': owner, 'X-Rucio-SSH-Signature': Buffer.from('none').toString('base64') },
    }),
    status: 401,
  },
  logInWithGss: plain('open', () => '/auth/gss', { status: 400 }),
  // No provider is configured here.
  requestOidcLogin: plain('open', () => '/auth/oidc', { status: 401 }),
  continueOidcLogin: plain('open', () => '/auth/oidc_redirect', { status: 401 }),
  finishOidcLogin: plain('open', () => '/auth/oidc_code', { status: 401 }),
  refreshOidcToken: plain('open', () => '/auth/oidc_refresh', { status: 401 }),
  // Its argument is the token: it needs none to be called, and answers whether one is valid.
  validateToken: plain('any', () => '/auth/validate', { withoutToken: '400 ValueError' }),

  listConfig: plain('admin', () => '/config'),
  setConfig: {
    who: 'admin',
    attempt: ({ name }) => {
      const section = name();
      return { path: '/config', body: { [section]: { colour: 'red' } }, look: `/config/${section}` };
    },
  },
  getConfigSection: ofOption(''),
  deleteConfigSection: ofOption(''),
  getConfigOption: ofOption('/colour'),
  deleteConfigOption: ofOption('/colour'),
  setConfigOption: {
    who: 'admin',
    attempt: ({ name }) => {
      const section = `/config/${name()}`;
      return { path: `${section}/colour/red`, look: section };
    },
  },

  // Otherwise its answer would not end.
  followEvents: plain('any', () => '/events', { method: 'HEAD' }),
  getOpenapi: plain('open', () => '/openapi.json'),
  getDocs: plain('open', () => '/docs'),
  getDocsFile: plain('open', () => '/docs/none.js', { status: 404 }),
  ping: plain('open', () => '/ping'),
  getHealth: plain('open', () => '/health'),
  getStatus: plain('root', () => '/status'),
  listHeartbeats: plain('root', () => '/heartbeats'),
  addHeartbeat: plain('admin', () => '/heartbeats', { body: { executable: 'x', hostname: 'y', pid: 1 } }),

  listLifetimeExceptions: plain('any', () => '/lifetime_exceptions'),
  // Without the option lifetime_model/cutoff_date it fails for all.
  addLifetimeExceptions: plain('any', () => '/lifetime_exceptions', {
    body: { dids: [], pattern: '*', comments: 'x', expires_at: null },
    status: 409,
  }),
  getLifetimeException: plain('any', () => `/lifetime_exceptions/${'0'.repeat(32)}`),
  updateLifetimeException: plain('admin', () => `/lifetime_exceptions/${'0'.repeat(32)}`, {
    body: { state: 'A' },
    status: 404,
  }),

  listPublicOpendata: plain('open', () => '/opendata/public/dids'),
  getPublicOpendata: plain('open', ({ scope }) => `/opendata/public/dids/${scope}/none`, { status: 404 }),
  listOpendata: plain('any', () => '/opendata/dids'),
  getOpendata: { who: 'any', attempt: async (make) => ({ path: await openDataset(make) }) },
  addOpendata: {
    who: 'owner',
    attempt: async ({ scope, dataset }) => {
      const path = `/opendata/dids/${scope}/${await dataset()}`;
      return { path, look: path };
    },
  },
  updateOpendata: {
    who: 'owner',
    attempt: async (make) => {
      const path = await openDataset(make);
      return { path, body: { meta: { title: 'x' } }, look: `${path}?meta=1` };
    },
  },
  removeOpendata: {
    who: 'owner',
    attempt: async (make) => {
      const path = await openDataset(make);
      return { path, look: path };
    },
  },

  addDiracFiles: {
    who: 'owner',
    attempt: async ({ scope, rse, name, as }) => {
      await as('post', `/rses/${rse}/attr/ANY`, { value: 'true' });
      // All collections of the path are in the scope of its second part; the topmost one is in that of the first.
      const lfns = [{ lfn: `/${scope}/${scope}/${name()}/f`, rse, bytes: 10, adler32: '0cc737eb' }];
      return {
        path: '/dirac/addfiles',
        body: { lfns },
        look: `/dids/${scope}/${encodeURIComponent(lfns[0]?.lfn ?? '')}`,
      };
    },
  },

  // Without credentials of the RSE it fails for all who may.
  signUrl: plain('root', ({ rse }) => `/credentials/signurl?rse=${rse}&svc=s3&url=https%3A%2F%2Fh%2Fb%2Fk`, {
    status: 400,
  }),
  signUrlShort: plain('root', ({ rse }) => `/credentials/signur?rse=${rse}&svc=s3&url=https%3A%2F%2Fh%2Fb%2Fk`, {
    status: 400,
  }),
};
