import { account, as, rse, type StepOptions, use } from '../steps.ts';
import type { JsonValue, Scenario, Step } from '../types.ts';

const root = as('root');
const alice = as('fle-alice');
const admin = as('fle-admin');
const impl = 'rucio.rse.protocols.mock.Default';
const protocol = (hostname: string, more: { [key: string]: JsonValue } = {}): { [key: string]: JsonValue } => ({
  scheme: 'mock',
  hostname,
  port: 1,
  impl,
  ...more,
});

const load = (name: string, rses: JsonValue, options?: StepOptions): Step =>
  root.post(name, '/import', { rses }, options);
/** Requests about one RSE, since an export shows those of all scenarios. */
const show = (name: string, of: string): Step[] => [
  root.get(`${name}: settings`, `/rses/${of}`),
  root.get(`${name}: attributes`, `/rses/${of}/attr/`),
  root.get(`${name}: limits`, `/rses/${of}/limits`),
];
const BAD = use(400, 'InvalidObject', 'rses 1.30');
const SORRY = use(401, 'AccessDenied', 'rses 8');
/** Where Rucio says 500, the status that the class has elsewhere. */
const as1_18 = (status: number, exceptionClass: string) => use(status, exceptionClass, 'rses 1.18');
const TAKEN = use(409, 'Duplicate', 'rses 1.4');

/**
 * Import and export of RSEs, distances and accounts (spec/rses.md 1.29, 1.30). It runs last: an import with accounts deletes
 * those of all other scenarios.
 */
export const importExport: Scenario = {
  name: 'import-export',
  about: 'import of RSEs, distances and accounts; what export refuses',
  steps: [
    ...account('fle-alice'),
    ...account('fle-admin'),
    root.post('make an admin', '/accounts/fle-admin/attr/admin', { value: 'true' }),
    rse('FLE_OLD', { city: 'Oslo', ISP: 'first' }),
    rse('FLE_GONE', { country_name: 'Norway' }),
    root.post('an attribute', '/rses/FLE_OLD/attr/tier', { value: 1 }),
    root.post(
      'a protocol',
      '/rses/FLE_OLD/protocols/mock',
      protocol('a', { prefix: '/a', domains: { lan: { read: 1 } } }),
    ),
    root.post('an attribute of the one to come back', '/rses/FLE_GONE/attr/tier', { value: 1 }),
    root.delete('disable it', '/rses/FLE_GONE'),

    load('nothing', {}),
    root.post('not a word', '/import', {}),
    root.post('with a final slash', '/import/', {}),
    load('a new RSE with nothing', { FLE_BARE: {} }),
    ...show('a new RSE with nothing', 'FLE_BARE'),
    load('a new RSE', {
      FLE_NEW: {
        rse_type: 'TAPE',
        deterministic: false,
        availability: 0,
        availability_write: false,
        city: 'Lyon',
        region_code: 'FR',
        latitude: 45,
        qos_class: 'CHEAP',
        id: 'x',
        unknown: 1,
        protocols: [protocol('a', { domains: { wan: { read: 1, write: 0 } } }), protocol('b', { prefix: '/b' })],
        attributes: { tier: 2, fast: 'TRUE', city: 'Paris', none: null, empty: '' },
        lfn2pfn_algorithm: 'identity',
        verify_checksum: false,
        MinFreeSpace: 1000,
      },
    }),
    ...show('a new RSE', 'FLE_NEW'),
    load('again', {
      FLE_NEW: {
        rse_type: 'DISK',
        availability: 5,
        city: 'Nice',
        country_name: null,
        qos_class: 'none',
        ISP: 'ignored',
        protocols: [protocol('b', { prefix: '/bb' }), protocol('c')],
        attributes: { tier: 3, fast: false },
        MinFreeSpace: 0,
      },
    }),
    ...show('again', 'FLE_NEW'),
    load('another limit', { FLE_NEW: { MinFreeSpace: 2000 } }),
    ...show('another limit', 'FLE_NEW'),
    load('flags win over the mask', { FLE_NEW: { availability: 0, availability_read: true } }),
    ...show('flags win over the mask', 'FLE_NEW'),
    load('an attribute in both places', {
      FLE_NEW: { attributes: { lfn2pfn_algorithm: 'one' }, lfn2pfn_algorithm: 'hash' },
    }),
    ...show('an attribute in both places', 'FLE_NEW'),
    load('one that is there, without a word', { FLE_OLD: {} }),
    ...show('one that is there, without a word', 'FLE_OLD'),
    load('one that is there', { FLE_OLD: { volatile: true, attributes: { tier: 5 } } }),
    ...show('one that is there', 'FLE_OLD'),
    load('one that is disabled', { FLE_GONE: { city: 'Bergen' } }),
    ...show('one that is disabled', 'FLE_GONE'),
    load('another name', { FLE_GONE: { name: 'FLE_BACK' } }),
    ...show('another name', 'FLE_BACK'),
    load('a name in use', { FLE_BACK: { name: 'FLE_OLD' } }, TAKEN),
    load('a name that no creation takes', { 'fle any name': {} }),
    ...show('a name that no creation takes', 'fle%20any%20name'),

    root.post('distances', '/import', {
      distances: { FLE_OLD: { FLE_NEW: { distance: 3 }, FLE_BACK: { ranking: 4 } }, FLE_NEW: { FLE_NEW: {} } },
    }),
    root.get('distances: a distance', '/rses/FLE_OLD/distances/FLE_NEW'),
    root.get('distances: a ranking', '/rses/FLE_OLD/distances/FLE_BACK'),
    root.get('distances: neither', '/rses/FLE_NEW/distances/FLE_NEW'),
    root.post('other distances', '/import', {
      distances: {
        FLE_OLD: { FLE_NEW: { distance: 5, ranking: 7, src_rse_id: 'x' }, FLE_BACK: { distance: null, ranking: 8 } },
      },
    }),
    root.get('other distances: changed', '/rses/FLE_OLD/distances/FLE_NEW'),
    root.get('other distances: null', '/rses/FLE_OLD/distances/FLE_BACK'),
    root.post('a new RSE and its distance', '/import', {
      rses: { FLE_FAR: {} },
      distances: { FLE_FAR: { FLE_OLD: { distance: 9 } } },
    }),
    root.get('the distance of the new one', '/rses/FLE_FAR/distances/FLE_OLD'),
    root.post(
      'a distance to nowhere',
      '/import',
      {
        rses: { FLE_OLD: { city: 'Trondheim' } },
        distances: { FLE_OLD: { FLE_NOPE: { distance: 1 } } },
      },
      use(404, 'RSENotFound', 'rses 1.30'),
    ),
    ...show('a distance to nowhere, and nothing else', 'FLE_OLD'),

    root.post('no body', '/import'),
    root.post('a list', '/import', []),
    root.post('RSEs as a list', '/import', { rses: [] }, BAD),
    root.post('RSEs as null', '/import', { rses: null }, BAD),
    root.post('distances as a list', '/import', { distances: [] }, BAD),
    load('a type that is none', { FLE_OLD: { rse_type: 'PAPER' } }),
    load('a protocol without a port', { FLE_OLD: { protocols: [{ scheme: 'mock', hostname: 'x', impl }] } }),
    load(
      'a protocol without impl',
      { FLE_OLD: { protocols: [{ scheme: 'mock', hostname: 'x', port: 1 }] } },
      as1_18(400, 'InvalidObject'),
    ),
    load('a protocol twice', { FLE_OLD: { protocols: [protocol('x'), protocol('x')] } }, as1_18(409, 'Duplicate')),
    load(
      'a priority that is none',
      { FLE_OLD: { protocols: [protocol('x', { domains: { lan: { read: -1 } } })] } },
      as1_18(409, 'RSEProtocolPriorityError'),
    ),
    load(
      'an operation that is none',
      { FLE_OLD: { protocols: [protocol('x', { domains: { lan: { fly: 1 } } })] } },
      as1_18(404, 'RSEOperationNotSupported'),
    ),
    load(
      'a domain that is none',
      { FLE_OLD: { protocols: [protocol('x', { domains: { sea: { read: 1 } } })] } },
      as1_18(404, 'RSEProtocolDomainNotSupported'),
    ),
    alice.post('import as alice', '/import', {}, SORRY),
    admin.post('import as an admin', '/import', {}),
    alice.get('export as alice', '/export', SORRY),
    admin.get('export as an admin', '/export', SORRY),
    root.get('export as a stream', '/export', { headers: { Accept: 'application/x-json-stream' } }),
    root.get('export with distances or not', '/export?distance=maybe'),
    root.get('export without distances', '/export?distance=false', { compare: 'keys' }),
    root.get('export with a final slash', '/export/?distance=True', { compare: 'keys' }),
    as('none').get('export without a token', '/export', use(401, 'CannotAuthenticate', 'access 8 #4')),

    root.post('accounts', '/import', {
      accounts: [
        {
          account: 'fle-alice',
          email: 'new@example.org',
          identities: [{ type: 'userpass', identity: 'fle-new', password: 'p' }],
        },
        { account: 'fle-bob', email: 'bob@example.org', identities: [{ type: 'X509', identity: '/CN=fle-bob' }] },
      ],
    }),
    root.get('accounts: one that was there', '/accounts/fle-alice'),
    root.get('accounts: its identities', '/accounts/fle-alice/identities'),
    root.get('accounts: a new one', '/accounts/fle-bob'),
    root.get('accounts: its identity', '/accounts/fle-bob/identities'),
    root.get('accounts: one that is not named', '/accounts/fle-admin'),
    root.get('accounts: all', '/accounts/'),
    root.post('no accounts', '/import', { accounts: [] }),
    root.post('an account without identities', '/import', {
      accounts: [
        { account: 'fle-alice', email: null, identities: [] },
        { account: 'fle-bob', email: 'b@example.org' },
      ],
    }),
    root.get('no accounts: all', '/accounts/'),
    root.get('no accounts: identities', '/accounts/fle-bob/identities'),
    root.get('no accounts: e-mail', '/accounts/fle-bob'),
    root.post(
      'an account that is deleted',
      '/import',
      {
        accounts: [
          { account: 'fle-alice', email: 'a' },
          { account: 'fle-bob', email: 'b' },
          { account: 'fle-admin', email: 'c' },
        ],
      },
      use(409, 'Duplicate', 'access 2.2'),
    ),
    root.post('an account without an address', '/import', { accounts: [{ account: 'fle-alice' }] }),
    root.post(
      'an identity without a password',
      '/import',
      {
        accounts: [{ account: 'fle-alice', email: 'a', identities: [{ type: 'USERPASS', identity: 'fle-other' }] }],
      },
      use(400, 'IdentityError', 'access 2.3'),
    ),
    root.post('an identity of no type', '/import', {
      accounts: [{ account: 'fle-alice', email: 'a', identities: [{ type: 'PALM', identity: 'fle-other' }] }],
    }),
    root.get('refused accounts: all', '/accounts/'),
  ],
};
