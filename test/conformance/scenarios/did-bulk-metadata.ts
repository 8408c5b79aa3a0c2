import { account, as, collection, files, rse, scope, use } from '../steps.ts';
import type { JsonValue, Scenario } from '../types.ts';

const root = as('root');
const alice = as('bme-alice');

function named(...names: string[]): JsonValue[] {
  return names.map((name) => ({ scope: 'bme', name }));
}

/** Metadata of many DIDs in one call. */
export const didBulkMetadata: Scenario = {
  name: 'did-bulk-metadata',
  about: 'POST /dids/bulkmeta and POST /dids/bulkdidsmeta',
  steps: [
    ...account('bme-alice'),
    scope('bme'),
    scope('bme.alice', 'bme-alice'),
    rse('BME-DISK'),
    collection('DATASET', 'bme', 'ds'),
    collection('CONTAINER', 'bme', 'cont'),
    files('bme', 'ds', 'BME-DISK', ['f1', 'f2']),
    root.post('set up cont', '/dids/bme/cont/dids', { dids: named('ds') }),
    root.post('set up owned dataset', '/dids/bme.alice/ds', { type: 'DATASET' }),
    root.post('set up metadata of f1', '/dids/bme/f1/meta', {
      meta: { own: 'file', shared: 'file' },
    }),
    root.post('set up metadata of ds', '/dids/bme/ds/meta', {
      meta: { project: 'p', shared: 'dataset', middle: 1 },
    }),
    root.post('set up metadata of cont', '/dids/bme/cont/meta', {
      meta: { shared: 'container', top: true },
    }),

    root.post('columns', '/dids/bulkmeta', { dids: named('ds', 'f1') }),
    root.post('free metadata', '/dids/bulkmeta', { dids: named('ds', 'f1', 'f2'), plugin: 'JSON' }),
    root.post('all metadata', '/dids/bulkmeta', { dids: named('ds'), plugin: 'ALL' }),
    root.post('plugin in lower case', '/dids/bulkmeta', { dids: named('ds'), plugin: 'json' }),
    root.post('unknown DIDs are left out', '/dids/bulkmeta', { dids: named('ds', 'nothing') }),
    root.post('unknown DIDs only', '/dids/bulkmeta', { dids: named('nothing') }),
    root.post('unknown DIDs only, free metadata', '/dids/bulkmeta', {
      dids: named('nothing'),
      plugin: 'JSON',
    }),
    root.post('the same DID twice', '/dids/bulkmeta', { dids: named('f1', 'f1'), plugin: 'JSON' }),
    root.post('no DIDs', '/dids/bulkmeta', { dids: [] }),
    root.post(
      'inherit free metadata',
      '/dids/bulkmeta',
      { dids: named('f2', 'f1', 'ds', 'cont'), plugin: 'JSON', inherit: true },
      { compare: 'ordered' },
    ),
    root.post(
      'inherit with unknown DID',
      '/dids/bulkmeta',
      { dids: named('nothing', 'f2'), plugin: 'JSON', inherit: true },
      { compare: 'ordered' },
    ),
    root.post('inherit columns', '/dids/bulkmeta', { dids: named('f2'), inherit: true }),
    root.post('inherit is no boolean', '/dids/bulkmeta', { dids: named('f2'), inherit: 'deep' }),
    root.post(
      'unknown plugin',
      '/dids/bulkmeta',
      { dids: named('ds'), plugin: 'MONGO' },
      use(400, 'UnsupportedMetadataPlugin', 'dids 2.18'),
    ),
    root.post('bad name', '/dids/bulkmeta', { dids: named('bad name') }, use(400, 'InvalidObject', 'dids 2.18')),
    root.post(
      'unknown element key',
      '/dids/bulkmeta',
      { dids: [{ scope: 'bme', name: 'ds', colour: 'red' }] },
      use(400, 'InvalidObject', 'dids 2.18'),
    ),
    root.post(
      'element without name',
      '/dids/bulkmeta',
      { dids: [{ scope: 'bme' }] },
      use(400, 'InvalidObject', 'dids 2.18'),
    ),
    root.post('no key dids', '/dids/bulkmeta', {}),
    root.post('list as body', '/dids/bulkmeta', named('ds')),
    root.post('no body', '/dids/bulkmeta'),
    root.post(
      'stream Accept',
      '/dids/bulkmeta',
      { dids: named('f1'), plugin: 'JSON' },
      { headers: { Accept: 'application/x-json-stream' } },
    ),
    root.post(
      'json Accept',
      '/dids/bulkmeta',
      { dids: named('f1'), plugin: 'JSON' },
      { headers: { Accept: 'application/json' }, ...use(200, null, 'dids 6 #14') },
    ),
    alice.post('any account may read', '/dids/bulkmeta', { dids: named('f1'), plugin: 'JSON' }),

    root.post('set on two', '/dids/bulkdidsmeta', {
      dids: [
        { scope: 'bme', name: 'ds', meta: { campaign: 'c', colour: 'red' } },
        { scope: 'bme', name: 'f2', meta: { colour: 'blue' } },
      ],
    }),
    root.post('read what was set', '/dids/bulkmeta', { dids: named('ds', 'f2'), plugin: 'JSON' }),
    root.post('recursive is ignored', '/dids/bulkdidsmeta', {
      dids: [{ scope: 'bme', name: 'cont', meta: { version: 'v9' } }],
      recursive: true,
    }),
    root.get('child keeps its column', '/dids/bme/ds/meta'),
    root.post('one unknown', '/dids/bulkdidsmeta', {
      dids: [
        { scope: 'bme', name: 'ds', meta: { colour: 'green' } },
        { scope: 'bme', name: 'nothing', meta: { colour: 'green' } },
      ],
    }),
    root.get('nothing is set beside an unknown', '/dids/bme/ds/meta?plugin=JSON'),
    root.post('reserved key', '/dids/bulkdidsmeta', {
      dids: [{ scope: 'bme', name: 'ds', meta: { name: 'x' } }],
    }),
    root.post(
      'key with a dot',
      '/dids/bulkdidsmeta',
      { dids: [{ scope: 'bme', name: 'ds', meta: { 'a.b': 1 } }] },
      use(400, 'InvalidMetadata', 'dids 2.19'),
    ),
    root.post('guid on a dataset', '/dids/bulkdidsmeta', {
      dids: [{ scope: 'bme', name: 'ds', meta: { guid: '00000000000000000000000000000001' } }],
    }),
    root.post('no meta', '/dids/bulkdidsmeta', { dids: named('ds') }, use(400, 'KeyError', 'dids 2.19')),
    root.post('set nothing', '/dids/bulkdidsmeta', { dids: [] }),
    root.post('set without key dids', '/dids/bulkdidsmeta', {}),
    root.post('set with list as body', '/dids/bulkdidsmeta', []),
    alice.post('set in own scope', '/dids/bulkdidsmeta', {
      dids: [{ scope: 'bme.alice', name: 'ds', meta: { colour: 'red' } }],
    }),
    alice.post('set in own and foreign scope', '/dids/bulkdidsmeta', {
      dids: [
        { scope: 'bme.alice', name: 'ds', meta: { colour: 'blue' } },
        { scope: 'bme', name: 'ds', meta: { colour: 'blue' } },
      ],
    }),
    alice.get('own scope is unchanged', '/dids/bme.alice/ds/meta?plugin=JSON'),
  ],
};
