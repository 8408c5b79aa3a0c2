import { account, as, collection, file, files, rse, scope, use } from '../steps.ts';
import type { Scenario } from '../types.ts';

const root = as('root');
const alice = as('rea-alice');
const CLOSE = { open: false };
const OPEN = { open: true };

/** Retrieval of one DID with its sizes, and the open/closed status. */
export const didRead: Scenario = {
  name: 'did-read',
  about: 'GET /dids/{scope}/{name}, its sizes, PUT …/status, files, parents, rules',
  steps: [
    ...account('rea-alice'),
    scope('rea'),
    scope('rea.alice', 'rea-alice'),
    rse('REA-DISK'),
    collection('DATASET', 'rea', 'ds1'),
    collection('DATASET', 'rea', 'ds2'),
    collection('DATASET', 'rea', 'empty'),
    collection('CONTAINER', 'rea', 'inner'),
    collection('CONTAINER', 'rea', 'outer'),
    collection('CONTAINER', 'rea', 'hollow'),
    files('rea', 'ds1', 'REA-DISK', ['f1', 'f2', 'f3']),
    root.post('set up shared file in ds2', '/dids/rea/ds2/dids', {
      dids: [{ scope: 'rea', name: 'f1' }, file('rea', 'f4', 25)],
      rse: 'REA-DISK',
    }),
    root.post('set up inner', '/dids/rea/inner/dids', {
      dids: [
        { scope: 'rea', name: 'ds1' },
        { scope: 'rea', name: 'ds2' },
      ],
    }),
    root.post('set up outer', '/dids/rea/outer/dids', { dids: [{ scope: 'rea', name: 'inner' }] }),
    root.post('set up owned dataset', '/dids/rea.alice/ds', { type: 'DATASET' }),

    root.get('file', '/dids/rea/f1'),
    root.get('file dynamically', '/dids/rea/f1?dynamic'),
    root.get('open dataset', '/dids/rea/ds1'),
    root.get('open dataset dynamically', '/dids/rea/ds1?dynamic'),
    root.get('dynamic false is still dynamic', '/dids/rea/ds1?dynamic=false'),
    root.get('dynamic depth file', '/dids/rea/ds1?dynamic_depth=file'),
    root.get(
      'dynamic depth dataset of open dataset',
      '/dids/rea/ds1?dynamic_depth=DATASET',
      use(200, null, 'dids 6 #9'),
    ),
    root.get('unknown dynamic depth', '/dids/rea/ds1?dynamic_depth=deep'),
    root.get('empty dataset dynamically', '/dids/rea/empty?dynamic'),
    root.get('container of datasets dynamically', '/dids/rea/inner?dynamic_depth=FILE'),
    root.get('container of containers dynamically', '/dids/rea/outer?dynamic_depth=FILE'),
    root.get('empty container dynamically', '/dids/rea/hollow?dynamic'),
    root.get('status route reads too', '/dids/rea/f1/status'),
    root.get('unknown name', '/dids/rea/nothing'),
    root.get('unknown scope', '/dids/rea-none/ds1'),
    root.get('unknown with dynamic', '/dids/rea/nothing?dynamic'),
    root.get('json Accept', '/dids/rea/f1', { headers: { Accept: 'application/json' } }),
    root.get('several Accept ranges', '/dids/rea/f1', {
      headers: { Accept: 'text/html, application/*;q=0.5' },
    }),
    root.get('stream Accept', '/dids/rea/f1', { headers: { Accept: 'application/x-json-stream' } }),
    root.get('Accept with parameter', '/dids/rea/f1', {
      headers: { Accept: 'application/json; charset=utf-8' },
      ...use(200, null, 'dids 1.8'),
    }),
    root.send('HEAD', 'HEAD of a DID', '/dids/rea/f1', undefined, { compare: 'status' }),

    root.put('close dataset', '/dids/rea/ds1/status', CLOSE),
    root.get('read closed dataset', '/dids/rea/ds1'),
    root.get('closed_at is set', '/dids/rea/ds1/meta'),
    root.put('close closed dataset', '/dids/rea/ds1/status', CLOSE),
    root.get(
      'container at depth dataset, one dataset closed',
      '/dids/rea/inner?dynamic_depth=DATASET',
      use(200, null, 'dids 6 #9'),
    ),
    root.put('reopen dataset', '/dids/rea/ds1/status', OPEN),
    root.get('read reopened dataset', '/dids/rea/ds1'),
    root.put('reopen open dataset', '/dids/rea/ds1/status', OPEN),
    root.put('close second dataset', '/dids/rea/ds2/status', CLOSE),
    root.put('close container', '/dids/rea/inner/status', CLOSE),
    root.get('read closed container', '/dids/rea/inner'),
    root.get('closed container at depth dataset', '/dids/rea/inner?dynamic_depth=DATASET'),
    root.put('close empty dataset', '/dids/rea/empty/status', CLOSE),
    root.get('read closed empty dataset', '/dids/rea/empty'),
    root.put('close a file', '/dids/rea/f1/status', CLOSE),
    root.put('close unknown DID', '/dids/rea/nothing/status', CLOSE),
    root.put('unknown status key', '/dids/rea/outer/status', { close: true }),
    root.put('known and unknown status key', '/dids/rea/outer/status', {
      open: false,
      complete: true,
    }),
    root.get('unknown status key changes nothing', '/dids/rea/outer'),
    root.put('open null closes', '/dids/rea/hollow/status', { open: null }),
    root.put('open as text opens', '/dids/rea/hollow/status', { open: 'no' }),
    root.put('no status key', '/dids/rea/outer/status', {}, use(400, 'KeyError', 'dids 2.4')),
    root.put('no body', '/dids/rea/outer/status'),
    root.put('list as body', '/dids/rea/outer/status', []),
    alice.put('close as owner of the scope', '/dids/rea.alice/ds/status', CLOSE),
    alice.put('reopen as owner of the scope', '/dids/rea.alice/ds/status', OPEN),
    alice.put('close in foreign scope', '/dids/rea/outer/status', CLOSE),
    alice.put('close unknown DID in foreign scope', '/dids/rea/nothing/status', CLOSE),

    root.get('files of dataset', '/dids/rea/ds1/files'),
    root.get('files of file', '/dids/rea/f1/files'),
    root.get('files of container', '/dids/rea/outer/files'),
    root.get('files in long form', '/dids/rea/ds2/files?long'),
    root.get('long false is still long', '/dids/rea/ds2/files?long=false'),
    root.get('files of empty container', '/dids/rea/hollow/files'),
    root.get('files of unknown DID', '/dids/rea/nothing/files'),
    root.get('files with json Accept', '/dids/rea/ds1/files', {
      headers: { Accept: 'application/json' },
    }),
    root.post('bulk files', '/dids/bulkfiles', {
      dids: [
        { scope: 'rea', name: 'ds2' },
        { scope: 'rea', name: 'inner' },
        { scope: 'rea', name: 'f2' },
      ],
    }),
    root.post('bulk files with unknown DID', '/dids/bulkfiles', {
      dids: [
        { scope: 'rea', name: 'nothing' },
        { scope: 'rea', name: 'ds2' },
      ],
    }),
    root.post('bulk files of unknown DIDs only', '/dids/bulkfiles', {
      dids: [{ scope: 'rea', name: 'nothing' }],
    }),
    root.post('bulk files of nothing', '/dids/bulkfiles', {}),
    root.post('bulk files with list as body', '/dids/bulkfiles', []),
    root.get('parents of shared file', '/dids/rea/f1/parents'),
    root.get('parents of dataset', '/dids/rea/ds1/parents'),
    root.get('parents of outermost container', '/dids/rea/outer/parents'),
    root.get('parents of unknown DID', '/dids/rea/nothing/parents', use(404, 'DataIdentifierNotFound', 'dids 6 #16')),
    root.get('rules of dataset without rules', '/dids/rea/ds1/rules'),
    root.get('rules of unknown DID', '/dids/rea/nothing/rules'),
    root.get('associated rules of file', '/dids/rea/f1/associated_rules'),
    root.get('associated rules of unknown DID', '/dids/rea/nothing/associated_rules'),
  ],
};
