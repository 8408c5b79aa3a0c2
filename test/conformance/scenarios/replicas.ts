import { account, as, collection, rse, scope, type StepOptions, use } from '../steps.ts';
import type { JsonValue, Scenario } from '../types.ts';

const root = as('root');
const alice = as('rep-alice');
const gfal = 'rucio.rse.protocols.gfal.Default';
const posix = 'rucio.rse.protocols.posix.Default';
const METALINK = { headers: { Accept: 'application/metalink4+xml' } };
const SCHEMA = use(400, 'InvalidObject', 'replication 0.3');
const UNSUPPORTED = use(409, 'UnsupportedOperation', 'replication 1.2');

const file = (name: string, more: { [key: string]: JsonValue } = {}) => ({
  scope: 'rep',
  name,
  bytes: 10,
  adler32: '0cc737eb',
  ...more,
});
const keys = (...names: string[]) => names.map((name) => ({ scope: 'rep', name }));
const everywhere = { lan: { read: 2, write: 2, delete: 2 }, wan: { read: 1, write: 1, delete: 1 } };

function protocol(rseName: string, scheme: string, body: { [key: string]: JsonValue }) {
  return root.post(`set up ${scheme} of ${rseName}`, `/rses/${rseName}/protocols/${scheme}`, { port: 0, ...body });
}

const add = (name: string, rseName: string, files: JsonValue, options: StepOptions = {}) =>
  root.post(`register ${name}`, '/replicas', { rse: rseName, files }, options);
const list = (name: string, names: string[], more: { [key: string]: JsonValue } = {}) =>
  root.post(`list ${name}`, '/replicas/list', { dids: keys(...names), ...more });

/** Registering, changing and listing replicas; nobody may delete any in Rucio. */
export const replicas: Scenario = {
  name: 'replicas',
  about: 'POST, PUT and DELETE /replicas, POST /replicas/list, GET /replicas/{scope}/{name}, tombstones',
  steps: [
    ...account('rep-alice'),
    scope('rep'),
    scope('rep.alice', 'rep-alice'),
    rse('REP_A'),
    rse('REP_B'),
    rse('REP_ODD', { deterministic: false }),
    rse('REP_VOLATILE', { volatile: true }),
    rse('REP_USERDISK'),
    protocol('REP_A', 'file', { hostname: 'localhost', impl: posix, prefix: '/a', domains: everywhere }),
    protocol('REP_A', 'davs', { hostname: 'web', impl: gfal, prefix: '/a', domains: { wan: { read: 3 } } }),
    protocol('REP_B', 'root', { hostname: 'xrd', impl: gfal, prefix: '//b', port: 1094, domains: everywhere }),
    protocol('REP_ODD', 'file', { hostname: 'localhost', impl: posix, prefix: '/odd', domains: everywhere }),
    root.post('set up a site', '/rses/REP_A/attr/site', { value: 'HERE' }),

    add('two files', 'REP_A', [file('f1', { meta: { guid: '0123456789abcdef0123456789abcdef' } }), file('f2')]),
    root.get('a file that was made', '/dids/rep/f1'),
    root.get('metadata of a file that was made', '/dids/rep/f1/meta'),
    add('the same file', 'REP_A', [file('f1', { bytes: 99 })], use(412, 'FileConsistencyMismatch', 'replication 1.2')),
    add('a second replica', 'REP_B', [file('f1')]),
    add('a copying one', 'REP_A', [file('f3', { state: 'C' })]),
    add('a state by name', 'REP_A', [file('f4', { state: 'AVAILABLE' })], use(201, null, 'replication 1.2')),
    add('no files', 'REP_A', [], SCHEMA),
    add('the same file twice', 'REP_A', [file('f5'), file('f5')], use(201, null, 'replication 1.2')),
    root.post('register without files', '/replicas', { rse: 'REP_A' }),
    root.post('register without RSE', '/replicas', { files: [] }),
    root.post('register with a list as body', '/replicas', []),
    root.post('register without body', '/replicas'),
    add('an unknown RSE', 'REP_NONE', [file('f5')]),
    add('an unknown scope', 'REP_A', [{ ...file('f5'), scope: 'repnone' }]),
    add('no size', 'REP_A', [{ scope: 'rep', name: 'f6' }]),
    add('another key', 'REP_A', [file('f5', { colour: 'red' })], SCHEMA),
    root.post('register with a bad boolean', '/replicas', {
      rse: 'REP_A',
      files: [file('f5')],
      ignore_availability: 'maybe',
    }),
    add('on a volatile RSE', 'REP_VOLATILE', [file('f10')], UNSUPPORTED),
    add('no PFN', 'REP_ODD', [file('f10')], UNSUPPORTED),
    add('a PFN', 'REP_ODD', [file('f7', { pfn: 'file://localhost/odd/x/y' })]),
    add('a wrong PFN', 'REP_A', [file('f8', { pfn: 'file://localhost/a/x' })]),
    collection('DATASET', 'rep', 'ds'),
    add('a dataset', 'REP_A', [file('ds')], use(409, 'DataIdentifierAlreadyExists', 'replication 1.2')),
    root.put('forbid writing', '/rses/REP_B', { availability_write: false }),
    add('where nothing can be written', 'REP_B', [file('f8')]),
    root.put('allow writing', '/rses/REP_B', { availability_write: true }),
    alice.post(
      'register as somebody',
      '/replicas',
      { rse: 'REP_A', files: [{ ...file('f'), scope: 'rep.alice' }] },
      use(401, 'AccessDenied', 'replication 6.2'),
    ),
    alice.post('register as somebody on a common RSE', '/replicas', {
      rse: 'REP_USERDISK',
      files: [{ ...file('f'), scope: 'rep.alice' }],
    }),
    alice.post('register a foreign file as somebody', '/replicas', { rse: 'REP_USERDISK', files: [file('f9')] }),

    root.put('make one available', '/replicas', { rse: 'REP_A', files: [file('f3', { state: 'A' })] }),
    root.put('make one unavailable', '/replicas', { rse: 'REP_B', files: [file('f1', { state: 'U' })] }),
    root.put(
      'change an unknown one',
      '/replicas',
      { rse: 'REP_B', files: [file('f3', { state: 'U' })] },
      use(404, 'ReplicaNotFound', 'replication 1.3'),
    ),
    root.put(
      'change on an unknown RSE',
      '/replicas',
      { rse: 'REP_NONE', files: [file('f3', { state: 'U' })] },
      use(404, 'RSENotFound', 'replication 1.3'),
    ),
    root.put('change to a bad state', '/replicas', { rse: 'REP_A', files: [file('f3', { state: 'S' })] }),
    root.put('change nothing', '/replicas', { rse: 'REP_A', files: [] }),
    root.put('change without files', '/replicas', { rse: 'REP_A' }),
    alice.put('change as somebody', '/replicas', { rse: 'REP_A', files: [file('f1', { state: 'A' })] }),
    alice.put(
      'change an own one',
      '/replicas',
      { rse: 'REP_USERDISK', files: [{ scope: 'rep.alice', name: 'f', state: 'U' }] },
      use(200, null, 'replication 6.2'),
    ),

    root.post('fill a dataset', '/dids/rep/ds/dids', { dids: keys('f1', 'f2', 'f3') }),
    list('a file', ['f1']),
    list('a file with all states', ['f1'], { all_states: true }),
    list('a file with what is unavailable', ['f1'], { unavailable: true }),
    list('files in another order, and an unknown one', ['f3', 'none', 'f1', 'f1']),
    list('a dataset', ['ds']),
    list('a dataset with parents', ['ds'], { resolve_parents: true }),
    list('a path', ['f7']),
    list('nothing', []),
    list('by a scheme', ['f1'], { schemes: ['davs'], all_states: true }),
    list('by an unknown scheme', ['f1'], { schemes: ['nope'], all_states: true }),
    list('within sites', ['f1'], { domain: 'lan', all_states: true }),
    list('from everywhere', ['f1'], { domain: 'all', all_states: true, schemes: ['file', 'root'] }),
    list('from nowhere', ['f1'], { domain: 'x', all_states: true }),
    list('from a site', ['f1'], { client_location: { site: 'HERE' }, all_states: true }),
    list('on an RSE', ['f1'], { rse_expression: 'REP_B', all_states: true }),
    root.post(
      'list with a bad expression',
      '/replicas/list',
      { dids: keys('f1'), rse_expression: '((' },
      use(400, 'InvalidRSEExpression', 'replication 1.4'),
    ),
    root.post(
      'list with an empty expression',
      '/replicas/list',
      { dids: keys('f1'), rse_expression: 'REP_NONE' },
      use(400, 'InvalidRSEExpression', 'replication 1.4'),
    ),
    list('what changed lately', ['ds', 'f1'], { updated_after: 4_102_444_800 }),
    list('what changed ever', ['f2'], { updated_after: '2020-01-01T00:00:00' }),
    list('with an unknown algorithm', ['f1'], { sort: 'x' }),
    list('with a bad flag', ['f1'], { all_states: 'x' }),
    list('with no flag', ['f1'], { all_states: null }),
    root.post('list an entry without name', '/replicas/list', { dids: [{ scope: 'rep' }] }, { compare: 'class' }),
    root.post(
      'list an entry with another key',
      '/replicas/list',
      { dids: [{ ...file('f1'), colour: 1 }] },
      {
        compare: 'class',
      },
    ),
    root.post('list without body', '/replicas/list'),
    root.post('list as a document', '/replicas/list', {}, { headers: { Accept: 'application/json' } }),
    root.post('metalink of a file', '/replicas/list', { dids: keys('f2'), resolve_parents: true }, METALINK),
    root.post('metalink of nothing', '/replicas/list', { dids: [] }, METALINK),
    root.get('replicas of a file', '/replicas/rep/f2'),
    root.get('replicas of a file, one PFN', '/replicas/rep/f2?limit=1'),
    root.get('replicas of an unknown file', '/replicas/rep/none'),
    root.get('replicas of half a name', '/replicas/rep'),
    root.get('metalink of a file alone', '/replicas/rep/f2', METALINK),
    root.get('replicas by an unknown algorithm', '/replicas/rep/f2?select=x'),

    root.get('dataset replicas, deep', '/replicas/rep/ds/datasets?deep=True', { compare: 'keys' }),
    root.get(
      'dataset replicas of an unknown one',
      '/replicas/rep/none/datasets?deep=True',
      use(404, 'DataIdentifierNotFound', 'replication 1.6'),
    ),
    root.get('virtual placement', '/replicas/rep/ds/datasets_vp'),
    root.post('dataset replicas of none', '/replicas/datasets_bulk', { dids: [] }),
    root.post('dataset replicas of an unknown one in bulk', '/replicas/datasets_bulk', { dids: keys('none') }),
    root.get('datasets of an unknown RSE', '/replicas/rse/REP_NONE', use(404, 'RSENotFound', 'replication 1.6')),

    root.post('tombstone', '/replicas/tombstone', { replicas: [{ rse: 'REP_A', ...keys('f2')[0] }] }),
    root.post('tombstone of nothing', '/replicas/tombstone', { replicas: [] }),
    root.post('tombstone of an unknown one', '/replicas/tombstone', { replicas: [{ rse: 'REP_B', ...keys('f2')[0] }] }),
    root.post(
      'tombstone on an unknown RSE',
      '/replicas/tombstone',
      { replicas: [{ rse: 'REP_NONE', ...keys('f2')[0] }] },
      use(404, 'RSENotFound', 'replication 1.7'),
    ),
    alice.post(
      'tombstone as somebody',
      '/replicas/tombstone',
      { replicas: [{ rse: 'REP_A', ...keys('f2')[0] }] },
      use(401, 'AccessDenied', 'replication 1.7'),
    ),
    alice.delete('delete as somebody', '/replicas', { rse: 'REP_A', files: keys('f2') }),
    root.delete('delete from an unknown RSE', '/replicas', { rse: 'REP_NONE', files: keys('f2') }),
    root.delete('delete without files', '/replicas', { rse: 'REP_A' }),
    root.delete('delete', '/replicas', { rse: 'REP_A', files: keys('f2') }, use(200, null, 'replication 6.2')),
  ],
};
