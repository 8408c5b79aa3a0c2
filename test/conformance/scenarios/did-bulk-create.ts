import { account, as, collection, file, files, rse, scope, use } from '../steps.ts';
import type { Scenario } from '../types.ts';

const root = as('root');
const alice = as('blk-alice');

function dataset(name: string): { scope: string; name: string; type: string } {
  return { scope: 'blk', name, type: 'DATASET' };
}

/** Creation of many DIDs in one call. */
export const didBulkCreate: Scenario = {
  name: 'did-bulk-create',
  about: 'POST /dids',
  steps: [
    ...account('blk-alice'),
    scope('blk'),
    scope('blk.alice', 'blk-alice'),
    rse('BLK-DISK'),
    collection('DATASET', 'blk', 'existing'),
    files('blk', 'existing', 'BLK-DISK', ['f1']),

    root.post('two DIDs', '/dids', [dataset('a'), { scope: 'blk', name: 'c', type: 'CONTAINER' }]),
    root.get('read first', '/dids/blk/a'),
    root.get('read second', '/dids/blk/c'),
    root.post('with final slash', '/dids/', [dataset('slash')], use(201, null, 'dids 6 #4')),
    root.post('empty list', '/dids', []),
    root.post('with account', '/dids', [{ ...dataset('owned'), account: 'blk-alice' }]),
    root.get('read owned', '/dids/blk/owned'),
    root.post('with monotonic', '/dids', [{ ...dataset('mono'), statuses: { monotonic: true } }]),
    root.get('read monotonic', '/dids/blk/mono'),
    root.post(
      'with statuses as text',
      '/dids',
      [{ ...dataset('mono2'), statuses: 'monotonic' }],
      use(201, null, 'dids 6 #7'),
    ),
    root.post('with metadata', '/dids', [{ ...dataset('meta'), meta: { project: 'beam24', shift: 'night' } }]),
    root.get('read metadata', '/dids/blk/meta/meta?plugin=ALL'),
    root.post('with lifetime', '/dids', [{ ...dataset('life'), lifetime: 3600 }]),
    root.get('read lifetime', '/dids/blk/life'),
    root.post('with content', '/dids', [
      { ...dataset('filled'), dids: [file('blk', 'f2'), file('blk', 'f3')], rse: 'BLK-DISK' },
    ]),
    root.get('read content', '/dids/blk/filled/dids'),
    root.post('containers with irrelevant rse', '/dids', [
      {
        scope: 'blk',
        name: 'c2',
        type: 'CONTAINER',
        rse: 'BLK-DISK',
        dids: [{ scope: 'blk', name: 'filled' }],
      },
    ]),
    root.get('read content of container', '/dids/blk/c2/dids'),
    root.post('with ignored length', '/dids', [{ ...dataset('length'), length: 5 }]),
    root.get('read length', '/dids/blk/length'),
    root.post(
      'with rule',
      '/dids',
      [
        {
          ...dataset('ruled'),
          rules: [{ account: 'root', copies: 1, rse_expression: 'BLK-DISK' }],
        },
      ],
      use(409, 'InsufficientAccountLimit', 'dids 2.1'),
    ),
    root.post('rse null', '/dids', [{ ...dataset('rsenull'), rse: null }]),

    root.post('existing', '/dids', [dataset('fresh'), dataset('a')]),
    root.get('nothing is created beside an existing one', '/dids/blk/fresh'),
    root.post('twice in the list', '/dids', [dataset('twin'), dataset('twin')]),
    root.post('type FILE', '/dids', [{ scope: 'blk', name: 'file', type: 'FILE' }]),
    root.post(
      'lower-case type',
      '/dids',
      [{ scope: 'blk', name: 'lower', type: 'dataset' }],
      use(201, null, 'dids 2.1'),
    ),
    root.post(
      'unknown type',
      '/dids',
      [{ scope: 'blk', name: 'typo', type: 'DATASETS' }],
      use(400, 'InvalidObject', 'dids 2.1'),
    ),
    root.post('no type', '/dids', [{ scope: 'blk', name: 'typo' }], use(400, 'KeyError', 'dids 1.7')),
    root.post('no name', '/dids', [{ scope: 'blk', type: 'DATASET' }], use(400, 'KeyError', 'dids 1.7')),
    root.post('no scope', '/dids', [{ name: 'typo', type: 'DATASET' }], use(400, 'KeyError', 'dids 1.7')),
    root.post(
      'unknown scope',
      '/dids',
      [{ scope: 'blk-none', name: 'a', type: 'DATASET' }],
      use(404, 'ScopeNotFound', 'dids 2.1'),
    ),
    root.post(
      'unknown account',
      '/dids',
      [{ ...dataset('orphan'), account: 'blk-nobody' }],
      use(404, 'AccountNotFound', 'dids 2.1'),
    ),
    root.post(
      'unknown rse',
      '/dids',
      [{ ...dataset('lost'), rse: 'BLK-NONE', dids: [file('blk', 'f9')] }],
      use(404, 'RSENotFound', 'dids 2.1'),
    ),
    root.post('unknown child', '/dids', [{ ...dataset('lost'), dids: [{ scope: 'blk', name: 'nofile' }] }]),
    root.post('dataset in a dataset', '/dids', [{ ...dataset('lost'), dids: [{ scope: 'blk', name: 'a' }] }]),
    root.post('bad name', '/dids', [dataset('bad name')], use(400, 'InvalidObject', 'dids 2.1')),
    root.post(
      'bad metadata key',
      '/dids',
      [{ ...dataset('dot'), meta: { 'a.b': 1 } }],
      use(400, 'InvalidMetadata', 'dids 1.11'),
    ),
    root.post('object as body', '/dids', dataset('object')),
    root.post('broken JSON', '/dids', { raw: '[{' }),
    root.post('no body', '/dids'),
    root.post('element that is no object', '/dids', ['blk:a'], { compare: 'status' }),
    root.post('json Accept', '/dids', [dataset('json')], {
      headers: { Accept: 'application/json' },
    }),
    root.post('stream Accept', '/dids', [dataset('stream')], {
      headers: { Accept: 'application/x-json-stream' },
    }),

    alice.post('own scope', '/dids', [{ scope: 'blk.alice', name: 'a', type: 'DATASET' }]),
    alice.post('own scope for another account', '/dids', [
      { scope: 'blk.alice', name: 'gift', type: 'DATASET', account: 'root' },
    ]),
    alice.post('own and foreign scope', '/dids', [{ scope: 'blk.alice', name: 'b', type: 'DATASET' }, dataset('b')]),
    alice.get('nothing is created beside a foreign scope', '/dids/blk.alice/b'),
    alice.post('empty list as alice', '/dids', []),
    as('bad').post('bad token', '/dids', []),
    root.get('wrong method', '/dids'),
  ],
};
