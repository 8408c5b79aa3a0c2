import { account, as, collection, file, files, rse, scope, use } from '../steps.ts';
import type { JsonValue, Scenario, Step } from '../types.ts';

const root = as('root');
const alice = as('att-alice');

function named(...names: string[]): JsonValue[] {
  return names.map((name) => ({ scope: 'att', name }));
}

function protocol(rseName: string, hostname: string): Step {
  const domains = { lan: { read: 1, write: 1, delete: 1 }, wan: { read: 1, write: 1, delete: 1 } };
  return root.post(`set up protocol of ${rseName}`, `/rses/${rseName}/protocols/root`, {
    hostname,
    port: 1094,
    prefix: '/data/',
    impl: 'rucio.rse.protocols.xrootd.Default',
    domains,
  });
}

/** Attaching children to one DID: files, collections, archive members. */
export const didAttach: Scenario = {
  name: 'did-attach',
  about: 'POST and GET /dids/{scope}/{name}/dids, archives',
  steps: [
    ...account('att-alice'),
    scope('att'),
    scope('att.alice', 'att-alice'),
    rse('ATT-DISK'),
    rse('ATT-TAPE', { deterministic: false }),
    rse('ATT-CACHE', { volatile: true }),
    protocol('ATT-DISK', 'disk.example.org'),
    protocol('ATT-TAPE', 'tape.example.org'),
    collection('DATASET', 'att', 'ds'),
    collection('DATASET', 'att', 'other'),
    collection('DATASET', 'att', 'closed'),
    collection('CONTAINER', 'att', 'cont'),
    collection('CONTAINER', 'att', 'cont2'),
    collection('CONTAINER', 'att', 'cont3'),
    root.put('set up closed dataset', '/dids/att/closed/status', { open: false }),
    root.post('set up owned dataset', '/dids/att.alice/ds', { type: 'DATASET' }),

    // A. files into a dataset
    files('att', 'ds', 'ATT-DISK', ['f1', 'f2']),
    root.get('content', '/dids/att/ds/dids'),
    root.get('content ignores dynamic', '/dids/att/ds/dids?dynamic'),
    root.get('content with json Accept', '/dids/att/ds/dids', {
      headers: { Accept: 'application/json' },
    }),
    root.get('content of a file', '/dids/att/f1/dids'),
    root.get('content of empty dataset', '/dids/att/other/dids'),
    root.get('content of unknown DID', '/dids/att/nothing/dids'),
    root.get('created file', '/dids/att/f1'),
    root.get('metadata of created file', '/dids/att/f1/meta'),
    root.post('known file', '/dids/att/other/dids', { dids: named('f1') }),
    root.post('known file with true checksum and size', '/dids/att/other/dids', {
      dids: [file('att', 'f2')],
    }),
    root.post('file with metadata', '/dids/att/ds/dids', {
      rse: 'ATT-DISK',
      dids: [
        {
          ...file('att', 'f3', 7),
          md5: 'd41d8cd98f00b204e9800998ecf8427e',
          meta: { guid: '2d1d9a1e-5c8b-4f0e-9e7a-5b6c7d8e9f00', events: 5 },
        },
      ],
    }),
    root.get('metadata of file with metadata', '/dids/att/f3/meta'),
    root.get('files show guid in capitals', '/dids/att/ds/files'),
    root.post('scope and name in the body are ignored', '/dids/att/ds/dids', {
      scope: 'att',
      name: 'other',
      rse: 'ATT-DISK',
      dids: [file('att', 'f4')],
    }),
    root.post('same child twice in one request', '/dids/att/other/dids', {
      dids: named('f3', 'f3'),
    }),
    root.post('rse null', '/dids/att/other/dids', { dids: named('f4'), rse: null }),
    root.get('content of other', '/dids/att/other/dids'),
    root.post('file with PFN on non-deterministic rse', '/dids/att/ds/dids', {
      rse: 'ATT-TAPE',
      dids: [{ ...file('att', 'f5'), pfn: 'root://tape.example.org:1094/data/att/f5' }],
    }),
    root.post('bare list of children', '/dids/att/ds/dids', named('f1'), use(409, 'FileAlreadyExists', 'dids 6 #6')),

    root.post('already attached', '/dids/att/ds/dids', { dids: named('f1') }),
    root.post('one new and one attached', '/dids/att/ds/dids', {
      rse: 'ATT-DISK',
      dids: [file('att', 'new1'), file('att', 'f1')],
    }),
    root.get('nothing of it is left', '/dids/att/new1'),
    root.post('unknown file without rse', '/dids/att/ds/dids', { dids: named('nofile') }),
    root.post(
      'other size',
      '/dids/att/other/dids',
      { dids: [file('att', 'f1', 99)] },
      use(412, 'FileConsistencyMismatch', 'dids 2.6'),
    ),
    root.post(
      'other adler32',
      '/dids/att/other/dids',
      { dids: [{ scope: 'att', name: 'f1', adler32: '00000000' }] },
      use(412, 'FileConsistencyMismatch', 'dids 2.6'),
    ),
    root.post(
      'other md5',
      '/dids/att/other/dids',
      { dids: [{ scope: 'att', name: 'f3', md5: 'ffffffffffffffffffffffffffffffff' }] },
      use(412, 'FileConsistencyMismatch', 'dids 2.6'),
    ),
    root.post('dataset into dataset', '/dids/att/ds/dids', { dids: named('other') }),
    root.post('container into dataset', '/dids/att/ds/dids', { dids: named('cont') }),
    root.post('into a closed dataset', '/dids/att/closed/dids', { dids: named('f1') }),
    root.post('into a file', '/dids/att/f1/dids', { dids: named('f2') }),
    root.post('into an unknown parent', '/dids/att/nothing/dids', { dids: named('f1') }),
    root.post('into an unknown scope', '/dids/att-none/ds/dids', { dids: named('f1') }),
    root.post(
      'new file without size',
      '/dids/att/ds/dids',
      { rse: 'ATT-DISK', dids: named('nosize') },
      use(400, 'KeyError', 'dids 2.6'),
    ),
    root.post(
      'new file in unknown scope',
      '/dids/att/ds/dids',
      { rse: 'ATT-DISK', dids: [file('att-none', 'f')] },
      use(404, 'ScopeNotFound', 'dids 2.6'),
    ),
    root.post('wrong PFN on deterministic rse', '/dids/att/ds/dids', {
      rse: 'ATT-DISK',
      dids: [{ ...file('att', 'f6'), pfn: 'root://disk.example.org:1094/data/wrong/f6' }],
    }),
    root.post('true PFN on deterministic rse', '/dids/att/ds/dids', {
      rse: 'ATT-DISK',
      dids: [{ ...file('att', 'f7'), pfn: 'root://disk.example.org:1094/data/att/fc/c6/f7' }],
    }),
    root.post(
      'PFN of another protocol',
      '/dids/att/ds/dids',
      { rse: 'ATT-DISK', dids: [{ ...file('att', 'f6'), pfn: 'srm://disk.example.org/data/f6' }] },
      use(404, 'RSEProtocolNotSupported', 'access 7.1'),
    ),
    root.post('non-deterministic rse without PFN', '/dids/att/ds/dids', {
      rse: 'ATT-TAPE',
      dids: [file('att', 'f6')],
    }),
    root.post('volatile rse', '/dids/att/ds/dids', { rse: 'ATT-CACHE', dids: [file('att', 'f6')] }),
    root.post('unknown rse', '/dids/att/ds/dids', { rse: 'ATT-NONE', dids: [file('att', 'f6')] }),
    root.post(
      'bad adler32',
      '/dids/att/ds/dids',
      { rse: 'ATT-DISK', dids: [{ scope: 'att', name: 'f6', bytes: 1, adler32: 'xyz' }] },
      use(400, 'InvalidObject', 'dids 2.6'),
    ),
    root.post(
      'size as text',
      '/dids/att/ds/dids',
      { rse: 'ATT-DISK', dids: [{ scope: 'att', name: 'f6', bytes: '1' }] },
      use(400, 'InvalidObject', 'dids 2.6'),
    ),
    root.post(
      'bad name of child',
      '/dids/att/ds/dids',
      { rse: 'ATT-DISK', dids: [file('att', 'bad name')] },
      use(400, 'InvalidObject', 'dids 2.6'),
    ),
    root.post(
      'unknown key of child',
      '/dids/att/ds/dids',
      { dids: [{ scope: 'att', name: 'f1', colour: 'red' }] },
      use(400, 'InvalidObject', 'dids 2.6'),
    ),
    root.post(
      'unknown key of body',
      '/dids/att/ds/dids',
      { dids: named('f1'), account: 'root' },
      use(400, 'InvalidObject', 'dids 2.6'),
    ),
    root.post('no children', '/dids/att/ds/dids', { dids: [] }, use(400, 'InvalidObject', 'dids 4.2')),
    root.post('empty body object', '/dids/att/ds/dids', {}, use(400, 'KeyError', 'dids 2.6')),
    root.post('no body', '/dids/att/ds/dids'),
    root.post('text as body', '/dids/att/ds/dids', 'f1', { compare: 'class' }),
    alice.post('into own scope', '/dids/att.alice/ds/dids', { dids: named('f1') }),
    alice.post('into foreign scope', '/dids/att/ds/dids', { dids: named('f1') }),
    alice.post('into unknown parent of foreign scope', '/dids/att/nothing/dids', {
      dids: named('f1'),
    }),

    // B. collections into a container
    root.post('datasets into container', '/dids/att/cont/dids', { dids: named('ds', 'closed') }),
    root.get('content of container', '/dids/att/cont/dids'),
    root.post('container into container', '/dids/att/cont2/dids', { dids: named('cont') }),
    root.post('dataset beside container in a later request', '/dids/att/cont2/dids', {
      dids: named('other'),
    }),
    root.get('mixed content', '/dids/att/cont2/dids'),
    root.post('container into itself', '/dids/att/cont/dids', { dids: named('cont') }),
    root.post('file into container', '/dids/att/cont/dids', { dids: named('f1') }),
    root.post(
      'mixed types in one request',
      '/dids/att/cont3/dids',
      { dids: named('ds', 'cont2') },
      { compare: 'class' },
    ),
    root.post('circle of two', '/dids/att/cont/dids', { dids: named('cont2') }),
    root.post('unknown collection', '/dids/att/cont/dids', { dids: named('nothing') }),
    root.post('dataset already in container', '/dids/att/cont/dids', { dids: named('ds') }),

    // C. files into an archive
    root.post('archives into dataset', '/dids/att/ds/dids', {
      rse: 'ATT-DISK',
      dids: [file('att', 'a.zip', 100), file('att', 'b.tar.gz', 100)],
    }),
    root.post('members into archive', '/dids/att/a.zip/dids', {
      dids: [file('att', 'm1', 5), file('att', 'm2', 6)],
    }),
    root.get('members', '/archives/att/a.zip/files'),
    root.get('a member is a file', '/dids/att/m1'),
    root.get('metadata of a member', '/dids/att/m1/meta'),
    root.get('the archive is marked', '/dids/att/a.zip/meta'),
    root.get('its dataset is marked', '/dids/att/ds/meta'),
    root.get('members are no content', '/dids/att/a.zip/dids'),
    root.post('known file into archive', '/dids/att/b.tar.gz/dids', { dids: named('f1') }),
    root.post(
      'member twice',
      '/dids/att/a.zip/dids',
      { dids: [file('att', 'm1', 5)] },
      use(409, 'FileAlreadyExists', 'dids 2.6 C'),
    ),
    root.post('dataset into archive', '/dids/att/a.zip/dids', { dids: named('other') }),
    root.post('member without size', '/dids/att/a.zip/dids', { dids: named('m3') }, use(400, 'KeyError', 'dids 2.6 C')),
    root.get('members of a file that is no archive', '/archives/att/f1/files'),
    root.get(
      'members of unknown archive',
      '/archives/att/nothing.zip/files',
      use(404, 'DataIdentifierNotFound', 'dids 2.27'),
    ),
    root.get('members with json Accept', '/archives/att/a.zip/files', {
      headers: { Accept: 'application/json' },
    }),
  ],
};
