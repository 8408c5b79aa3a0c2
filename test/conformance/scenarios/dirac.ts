import { account, as, rse, scope, use } from '../steps.ts';
import type { JsonValue, Scenario } from '../types.ts';

const root = as('root');
const A = '/dirac/addfiles';
const encoded = (name: string) => encodeURIComponent(name);
type Members = Readonly<Record<string, JsonValue>>;
const lfn = (path: string, more: Members = {}): Members => ({
  lfn: path,
  rse: 'DIR_ONE',
  bytes: 5,
  adler32: '0cc737eb',
  ...more,
});
const add = (...lfns: Members[]): Members => ({ lfns });
const guid = 'f0000000-0000-4000-8000-0000000d17ac';
const MISSING = use(400, 'InvalidObject', 'access 11.3');
const NO_PATH = use(400, 'InvalidPath', 'access 11.3');

/** DIRAC's registration of files. Recorded with the option `extract_scope = dirac` in the section `common`. */
export const dirac: Scenario = {
  name: 'dirac',
  about: "files of DIRAC; recorded with Rucio's option `extract_scope = dirac`",
  steps: [
    ...account('dir-alice'),
    scope('dirvo'),
    scope('dir'),
    scope('diralice', 'dir-alice'),
    ...['DIR_ONE', 'DIR_OFF'].map((name) => rse(name)),
    rse('DIR_PATHS', { deterministic: false }),
    ...['DIR_ONE', 'DIR_OFF', 'DIR_PATHS'].map((name) =>
      root.post(`set up a limit on ${name}`, `/accounts/root/limits/local/${name}`, { bytes: 1e12 }),
    ),
    root.post(
      'no RSE has the attribute',
      A,
      add(lfn('/dirvo/dir/c/d/f1')),
      use(400, 'InvalidRSEExpression', 'access 11.3'),
    ),
    root.post('nothing was added', '/dids/bulkmeta', { dids: [{ scope: 'dir', name: '/dirvo/dir/c/d' }] }),
    root.post('set up ANY', '/rses/DIR_ONE/attr/ANY', { value: 'true' }),
    root.post('set up the topmost container', '/dids', [{ scope: 'dirvo', name: '/dirvo', type: 'CONTAINER' }]),

    root.post('add a file', A, add(lfn('/dirvo/dir/c/d/f1', { guid }))),
    root.get('the file', `/dids/dir/${encoded('/dirvo/dir/c/d/f1')}`),
    root.get('its metadata', `/dids/dir/${encoded('/dirvo/dir/c/d/f1')}/meta`, { compare: 'keys' }),
    root.get('the dataset', `/dids/dir/${encoded('/dirvo/dir/c/d')}`, { compare: 'status' }),
    root.get('the content of the dataset', `/dids/dir/${encoded('/dirvo/dir/c/d')}/dids`, { compare: 'keys' }),
    root.get('the container', `/dids/dir/${encoded('/dirvo/dir/c')}/dids`, { compare: 'keys' }),
    root.get('the next container', `/dids/dir/${encoded('/dirvo/dir')}/dids`, { compare: 'keys' }),
    root.get('the topmost container', `/dids/dirvo/${encoded('/dirvo')}/dids`, { compare: 'keys' }),
    root.get('the replica', `/replicas/dir/${encoded('/dirvo/dir/c/d/f1')}`, { compare: 'status' }),
    root.get('the rule of the file', `/dids/dir/${encoded('/dirvo/dir/c/d/f1')}/rules`),
    root.get('the rule of the dataset', `/dids/dir/${encoded('/dirvo/dir/c/d')}/rules`, { compare: 'keys' }),
    root.post('add it again', A, add(lfn('/dirvo/dir/c/d/f1', { bytes: 7 }))),
    root.get('it did not change', `/dids/dir/${encoded('/dirvo/dir/c/d/f1')}`),
    root.post('add several, two in the same dataset', A, {
      lfns: [lfn('/dirvo/dir/c/d/f2'), lfn('/dirvo/dir/c/e/f3'), lfn('/dirvo/dir/c/e/f4'), lfn('/dirvo/dir/c/e/f4')],
      parents_metadata: { '/dirvo/dir/c/e': { project: 'mu' }, '/dirvo/dir/c': { project: 'none' } },
    }),
    root.get('the metadata of the new dataset', `/dids/dir/${encoded('/dirvo/dir/c/e')}/meta`, { compare: 'keys' }),
    root.get('what existed got none', `/dids/dir/${encoded('/dirvo/dir/c')}/meta`, { compare: 'keys' }),
    root.post('add none', A, add()),

    root.post('no list', A, {}),
    root.post('no object', A, [1]),
    root.post('what is no JSON', A, { raw: 'x' }),
    root.post('a file without an RSE', A, add({ lfn: '/dirvo/dir/c/d/f5', bytes: 1 }), MISSING),
    root.post('a file without a name', A, add({ rse: 'DIR_ONE', bytes: 1 }), MISSING),
    root.post('a file on an unknown RSE', A, add(lfn('/dirvo/dir/c/d/f5', { rse: 'NONE' }))),
    root.post(
      'a file without its size',
      A,
      add({ lfn: '/dirvo/dir/c/d/f5', rse: 'DIR_ONE' }),
      use(400, 'KeyError', 'access 11.3'),
    ),
    root.post(
      'a file in an unknown scope',
      A,
      add(lfn('/dirvo/dirnone/c/d/f5')),
      use(404, 'ScopeNotFound', 'access 11.3'),
    ),
    root.post('a path of one part', A, add(lfn('/dirvo')), NO_PATH),
    root.post('a path of two parts', A, add(lfn('/dirvo/f')), NO_PATH),
    root.post('a path of three parts: its topmost container exists', A, add(lfn('/dirvo/dir/f5'))),
    root.post('a dataset where a container is', A, add(lfn('/dirvo/dir/c/f5'))),
    root.post('a container where a dataset is', A, add(lfn('/dirvo/dir/c/d/x/f5'))),
    root.post('a collection of that name is skipped', A, add(lfn('/dirvo/dir/c/d'))),
    root.post('no path on an RSE with paths', A, add(lfn('/dirvo/dir/c/d/f5', { rse: 'DIR_PATHS' }))),
    root.post(
      'nothing of a refused request stays',
      A,
      add(lfn('/dirvo/dir/c/g/f6'), lfn('/dirvo/dir/c/g/f7', { rse: 'DIR_PATHS' })),
    ),
    root.get('not the dataset', `/dids/dir/${encoded('/dirvo/dir/c/g')}`),
    root.put('close the RSE', '/rses/DIR_OFF', { availability_write: false }),
    root.post('a file on a closed RSE', A, add(lfn('/dirvo/dir/c/d/f8', { rse: 'DIR_OFF' }))),
    root.post(
      'and in spite of that',
      A,
      { ...add(lfn('/dirvo/dir/c/d/f8', { rse: 'DIR_OFF' })), ignore_availability: true },
      use(409, 'RSEWriteBlocked', 'access 11.3'),
    ),
    root.put('close the dataset', `/dids/dir/${encoded('/dirvo/dir/c/e')}/status`, { open: false }),
    root.post('a file in a closed dataset', A, add(lfn('/dirvo/dir/c/e/f9'))),
    root.post('set lifetimes', '/config', { dirac: { lifetime: '{"dir.*": 86400}', file_lifetime: '3600' } }),
    root.post('add a file that ends', A, add(lfn('/dirvo/dir/c/h/f10'))),
    root.get('its rule ends', `/dids/dir/${encoded('/dirvo/dir/c/h/f10')}/rules`),
    root.get('so does that of the dataset', `/dids/dir/${encoded('/dirvo/dir/c/h')}/rules`, { compare: 'keys' }),
    root.delete('forget lifetimes', '/config/dirac'),
    as('dir-alice').post(
      'without a limit',
      A,
      add(lfn('/dirvo/diralice/c/d/f1')),
      use(401, 'AccessDenied', 'access 11.4'),
    ),
    as('dir-alice').post(
      'in the scope of another',
      A,
      add(lfn('/dirvo/dir/c/d/f11')),
      use(401, 'AccessDenied', 'access 11.4'),
    ),
    as('none').post(
      'without a token',
      A,
      add(lfn('/dirvo/dir/c/d/f12')),
      use(401, 'CannotAuthenticate', 'access 8 #4'),
    ),
  ],
};
