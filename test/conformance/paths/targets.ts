import { account, as, collection, files, rse, scope } from '../steps.ts';
import type { JsonValue, Scenario, Step } from '../types.ts';

/** A request; the path is sent exactly as it is here. */
interface Target {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonValue;
}

const root = as('root');

/** Objects that the paths name. */
const setUp: readonly Step[] = [
  scope('paths'),
  rse('PATHS'),
  root.post('protocol', '/rses/PATHS/protocols/mock', {
    hostname: 'h',
    port: 1,
    prefix: '/p',
    impl: 'rucio.rse.protocols.mock.Default',
    domains: {
      lan: { read: 1, write: 1, delete: 1 },
      wan: { read: 1, write: 1, delete: 1 },
    },
  }),
  root.post('limit', '/accounts/root/limits/local/PATHS', { bytes: -1 }),
  ...account('paths-user'),
  collection('DATASET', 'paths', 'ds'),
  files('paths', 'ds', 'PATHS', ['f1']),
  root.post(
    'rule',
    '/rules/',
    { dids: [{ scope: 'paths', name: 'ds' }], account: 'root', copies: 1, rse_expression: 'PATHS' },
    { save: { rule: '0' } },
  ),
  root.post('subscription', '/subscriptions/root/paths-sub', {
    options: {
      filter: { scope: ['paths'] },
      replication_rules: [{ copies: 1, rse_expression: 'PATHS', activity: 'User Subscriptions' }],
      comments: 'x',
      lifetime: 10,
      retroactive: false,
      dry_run: false,
      priority: 1,
    },
  }),
  root.put('option', '/config/paths/option/value'),
];

/** Paths that Rucio answers with 200, at least one for each group of routes. */
const known = [
  '/ping',
  '/auth/userpass',
  '/auth/validate',
  '/accounts/',
  '/accounts/root',
  '/accounts/whoami',
  '/accounts/root/attr/',
  '/accounts/root/limits/local/PATHS',
  '/rses/',
  '/rses/PATHS',
  '/rses/PATHS/attr/',
  '/rses/PATHS/accounts/usage',
  '/rses/PATHS/protocols/mock',
  '/scopes/',
  '/scopes/root/scopes',
  '/dids/paths/',
  '/dids/paths/ds',
  '/dids/paths/ds/files',
  '/dids/paths/ds/meta',
  '/dids/paths/dids/search?type=all',
  '/replicas/paths/f1',
  '/replicas/paths/ds/datasets',
  '/locks/paths/ds?did_type=dataset',
  '/locks/PATHS?did_type=dataset',
  '/rules/{{rule}}',
  '/rules/{{rule}}/locks',
  '/rules/paths/ds/history',
  '/subscriptions/root/paths-sub',
  '/config/paths/option',
  '/redirect/paths/f1',
  '/archives/paths/ds/files',
  '/identities/ddmlab/userpass/accounts',
  '/meta_conventions/',
  '/lifetime_exceptions/',
  '/export/',
];

/** The other spellings of slashes. */
const slashes: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `/${path}`,
  (path) => `///${path}`,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => path.replace(/\/$/, ''),
  (path) => path.replaceAll('/', '//'),
  (path) => path.replaceAll('/', '///'),
  (path) => path.replace(/(?<=.)\//, '//'),
  (path) => path.replace(/(?<=.)\/(?=[^/]*$)/, '//'),
];

const hostile: readonly ((path: string) => string)[] = [
  (path) => `/.${path}`,
  (path) => `/x/..${path}`,
  (path) => `/..${path}`,
  (path) => `${path}/.`,
  (path) => `${path}/..`,
  (path) => `/%2F${path.slice(1)}`,
  (path) => `/%2f%2F${path.slice(1)}`,
  (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.replace(/[a-z]/, (letter) => letter.toUpperCase()),
  (path) => `${path}%20`,
  (path) => `/%20${path.slice(1)}`,
  (path) => `${path}+`,
  (path) => `${path};x=1`,
  (path) => `${path}%3Bx`,
  (path) => `${path}%2F`,
  (path) => `${path}%2f%2F`,
  (path) => `${path}%00`,
  (path) => `${path}%zz`,
  (path) => `${path}%`,
  (path) => `${path}%2E`,
  (path) => `${path}%2e%2e`,
  (path) => `${path}%252F`,
  (path) => `${path}%25`,
  (path) => `${path}%C3%A9`,
  (path) => `${path}%FF`,
  (path) => `${path}%0A`,
  (path) => `${path}\\`,
  (path) => `${path}%5C`,
  (path) => path.replace(/(?<=.)\//, '%2F'),
  (path) => path.replace(/(?<=.)\/(?=[^/]*$)/, '%2f'),
  (path) => path.replace(/(?<=.)\//, '/%2F'),
  (path) => `http://other.example.org${path}`,
  (path) => `http://other.example.org/${path}`,
];

/** Spelt in every hostile way. */
const tried = [
  '/ping',
  '/accounts/root',
  '/rses/PATHS/attr/',
  '/dids/paths/ds',
  '/dids/paths/ds/files',
  '/replicas/paths/f1',
];

const withoutRoute = [
  '/',
  '//',
  '///',
  '/.',
  '/..',
  '/%2F',
  '/%2e%2e',
  '/nothing',
  '//nothing',
  '/nothing//',
  '/nothing/paths/ds',
  '/;',
  '/%00',
  '/%C3%A9',
  '/pings',
  '/dids',
  '/dids//',
  '/dids///',
  '/dids/paths',
  '/dids//paths',
  '/dids/paths//',
  '/dids/paths///',
  '/dids/paths//dids/search?type=all',
  '/rules//',
  '/replicas//paths//f1//datasets//',
  '/rses//attr',
  '/accounts//attr/',
];

const methods = ['HEAD', 'PUT', 'POST', 'DELETE', 'PATCH', 'TRACE', 'FOO'];

const beforeQuery = (path: string, change: (path: string) => string): string => {
  const [bare = '', query] = path.split('?');
  return query === undefined ? change(bare) : `${change(bare)}?${query}`;
};

/** Reads with all spellings, each once. */
function reads(): Target[] {
  const paths = [
    ...known.flatMap((path) => slashes.map((spell) => beforeQuery(path, spell))),
    ...tried.flatMap((path) => hostile.map((spell) => beforeQuery(path, spell))),
    ...['/ping', '/rses', '/accounts/root'].flatMap((path) =>
      ['?', '/?', '//?x=1', '??', '//?x=//'].map((end) => path + end),
    ),
    ...withoutRoute,
  ];
  return [...new Set(paths)].map((path) => ({ method: 'GET', path }));
}

/** Writes whose path has too many slashes; each takes effect, so they are few. */
const writes: readonly Target[] = [
  { method: 'POST', path: '//accounts//root//attr//paths1', body: { key: 'paths1', value: true } },
  { method: 'DELETE', path: '/accounts/root/attr//paths1/' },
  { method: 'POST', path: '/rses//PATHS//attr/k', body: { value: 1 } },
  { method: 'DELETE', path: '//rses/PATHS/attr/k//' },
  { method: 'POST', path: '//rses', body: {} },
  { method: 'POST', path: '//rules//', body: [] },
  { method: 'POST', path: '/replicas//list', body: { dids: [{ scope: 'paths', name: 'f1' }] } },
  { method: 'POST', path: '//replicas/list/', body: { dids: [{ scope: 'paths', name: 'f1' }] } },
  { method: 'POST', path: '//dids/paths/new1', body: { type: 'DATASET' } },
  { method: 'POST', path: '//dids//paths/new2', body: { type: 'DATASET' } },
  { method: 'POST', path: '/dids/paths/new1//dids', body: { dids: [{ scope: 'paths', name: 'f1' }] } },
  { method: 'POST', path: '/dids/paths/new2/dids//', body: { dids: [{ scope: 'paths', name: 'f1' }] } },
  { method: 'POST', path: '/dids/paths/new1//meta//project', body: { value: 'x' } },
  { method: 'PUT', path: '//dids/paths/new1//status/', body: { open: false } },
  { method: 'PUT', path: '//config//paths//option//other' },
  { method: 'DELETE', path: '//config/paths/option/' },
  { method: 'POST', path: '//traces/', body: {} },
  { method: 'POST', path: '/scopes//root//paths2//' },
];

/** All requests but those of the set-up, in the order in which they are sent. */
const targets: readonly Target[] = [
  ...reads(),
  ...['/ping', '//ping', '/accounts/paths-user/', '//rses', '/dids/paths/ds//files', '/nothing'].flatMap((path) =>
    methods.map((method) => ({ method, path })),
  ),
  ...writes,
];

/** For `/auth/userpass`; the other routes do not read them. */
const headers = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'secret' };

/** Ways to spell paths, good and bad, compared by status and exception class. The set-up is not compared. */
export const paths: Scenario = {
  name: 'paths',
  about: 'how paths are routed: slashes, dots, escapes, methods',
  steps: [
    ...setUp,
    ...targets.map((target) => ({ ...target, name: `${target.method} ${target.path}`, as: 'root', headers })),
  ],
};

/** The names of the steps that are compared. */
export const compared: ReadonlySet<string> = new Set(targets.map(({ method, path }) => `${method} ${path}`));
