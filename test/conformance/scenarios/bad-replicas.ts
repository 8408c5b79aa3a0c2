import { account, as, collection, rse, scope, use } from '../steps.ts';
import type { JsonValue, Scenario } from '../types.ts';

const root = as('root');
const bob = as('bad-bob');
const nobody = as('none');
const SPEC = 'replication 1.8';
const OK = use(200, null, SPEC);
const ABSENT = use(404, 'RSENotFound', SPEC);
const asInput = (name: string) => use(400, name, SPEC);
const posix = 'rucio.rse.protocols.posix.Default';

const file = (name: string) => ({ scope: 'bad', name, bytes: 10, adler32: '0cc737eb' });
const on = (rseName: string, name: string) => ({ scope: 'bad', name, rse: rseName });
const everywhere = { lan: { read: 1, write: 1, delete: 1 }, wan: { read: 1, write: 1, delete: 1 } };

function protocol(rseName: string, scheme: string, body: { [key: string]: JsonValue }) {
  return root.post(`set up ${scheme} of ${rseName}`, `/rses/${rseName}/protocols/${scheme}`, {
    hostname: 'localhost',
    port: 0,
    impl: posix,
    domains: everywhere,
    ...body,
  });
}

function register(rseName: string, files: JsonValue) {
  return root.post(`set up replicas on ${rseName}`, '/replicas', { rse: rseName, files });
}

const list = (name: string, fileName: string) =>
  root.post(`list ${name}`, '/replicas/list', { dids: [{ scope: 'bad', name: fileName }], all_states: true });

/** Bad, suspicious and unknown replicas, and the way to a file without a token. */
export const badReplicas: Scenario = {
  name: 'bad-replicas',
  about: '/replicas/bad, /replicas/suspicious, /replicas/quarantine, /replicas/dids, /redirect',
  steps: [
    ...account('bad-bob'),
    scope('bad'),
    rse('BAD_A'),
    rse('BAD_WEB'),
    rse('BAD_ODD', { deterministic: false }),
    protocol('BAD_A', 'file', { prefix: '/bad-a' }),
    protocol('BAD_WEB', 'davs', { prefix: '/bad-web', hostname: 'web.example.org', port: 443 }),
    protocol('BAD_ODD', 'file', { prefix: '/bad-odd' }),
    register('BAD_A', [file('f1'), file('f2'), file('f3'), file('f4')]),
    register('BAD_WEB', [file('f1'), file('w')]),
    register('BAD_ODD', [{ ...file('odd'), pfn: 'file://localhost/bad-odd/x/y' }]),
    collection('DATASET', 'bad', 'ds'),
    root.post('fill the dataset', '/dids/bad/ds/dids', { dids: [{ scope: 'bad', name: 'w' }] }),

    root.post('declare by file', '/replicas/bad', { replicas: [on('BAD_A', 'f1')], reason: 'burnt' }),
    list('a bad replica', 'f1'),
    root.post('declare again', '/replicas/bad', { replicas: [on('BAD_A', 'f1'), on('BAD_A', 'none')] }),
    root.post('declare again by force', '/replicas/bad', { replicas: [on('BAD_A', 'f1')], force: true }),
    root.post('declare by PFN', '/replicas/bad', { pfns: ['file://localhost/bad-a/bad/0e/90/f2'], reason: 'lost' }),
    root.post('declare a PFN of no RSE', '/replicas/bad', { pfns: ['gsiftp://nowhere.example.org/x'] }),
    root.post('declare a PFN of no replica', '/replicas/bad', { pfns: ['file://localhost/bad-a/bad/00/00/none'] }),
    root.post('declare on an unknown RSE', '/replicas/bad', { replicas: [on('BAD_NONE', 'f1')] }),
    root.post(
      'declare without RSE',
      '/replicas/bad',
      { replicas: [{ scope: 'bad', name: 'f3' }] },
      asInput('InvalidType'),
    ),
    root.post(
      'declare files and PFNs',
      '/replicas/bad',
      { replicas: [on('BAD_A', 'f3'), 'file://localhost/bad-a/x'] },
      asInput('InvalidType'),
    ),
    root.post('declare nothing', '/replicas/bad', { replicas: [] }),
    root.post('declare without list', '/replicas/bad', { reason: 'x' }),
    root.post('declare without body', '/replicas/bad'),
    bob.post('declare as somebody', '/replicas/bad', { replicas: [on('BAD_A', 'f3')] }),

    root.post('declare DIDs', '/replicas/bad/dids', {
      dids: [{ scope: 'bad', name: 'f3' }],
      rse: 'BAD_A',
      reason: 'x',
    }),
    root.post('declare DIDs again', '/replicas/bad/dids', {
      dids: [
        { scope: 'bad', name: 'f3' },
        { scope: 'bad', name: 'none' },
      ],
      rse: 'BAD_A',
    }),
    root.post('declare DIDs on an unknown RSE', '/replicas/bad/dids', { dids: [], rse: 'BAD_NONE' }, ABSENT),
    root.post(
      'declare DIDs without RSE',
      '/replicas/bad/dids',
      { dids: [{ scope: 'bad', name: 'f3' }] },
      asInput('KeyError'),
    ),
    bob.post('declare DIDs as somebody', '/replicas/bad/dids', {
      dids: [{ scope: 'bad', name: 'f3' }],
      rse: 'BAD_A',
    }),

    root.put('recover one', '/replicas', { rse: 'BAD_A', files: [{ scope: 'bad', name: 'f2', state: 'A' }] }),
    list('what has recovered', 'f2'),
    root.post('suspect by PFN', '/replicas/suspicious', {
      pfns: ['file://localhost/bad-a/bad/22/04/f4'],
      reason: 'odd',
    }),
    root.post('suspect again', '/replicas/suspicious', { pfns: ['file://localhost/bad-a/bad/22/04/f4'] }),
    root.post('suspect an unknown file', '/replicas/suspicious', { pfns: ['file://localhost/bad-a/bad/cf/0d/none'] }),
    root.post('suspect nothing', '/replicas/suspicious', { pfns: [] }),
    root.post('suspect without list', '/replicas/suspicious', {}),
    list('a suspicious replica', 'f4'),
    root.get('suspicious replicas', '/replicas/suspicious?rse_expression=BAD_A'),
    root.get('suspicious replicas that were so often', '/replicas/suspicious?rse_expression=BAD_A&nattempts=5'),
    root.get('suspicious replicas since never', '/replicas/suspicious?younger_than=2100-01-01T00:00:00'),
    root.get('suspicious replicas since a bad time', '/replicas/suspicious?younger_than=x'),
    root.get(
      'suspicious replicas by a bad expression',
      '/replicas/suspicious?rse_expression=((',
      asInput('InvalidRSEExpression'),
    ),

    root.post('PFNs that are bad', '/replicas/bad/pfns', {
      pfns: ['file://localhost/bad-a/bad/x'],
      reason: 'x',
      state: 'BAD',
    }),
    root.post(
      'PFNs that are bad for a time',
      '/replicas/bad/pfns',
      {
        pfns: ['file://localhost/bad-a/bad/x'],
        state: 'BAD',
        expires_at: '2100-01-01T00:00:00.000000',
      },
      asInput('InputValidationError'),
    ),
    root.post(
      'PFNs that are away for ever',
      '/replicas/bad/pfns',
      {
        pfns: ['file://localhost/bad-a/bad/x'],
        state: 'TEMPORARY_UNAVAILABLE',
      },
      asInput('InputValidationError'),
    ),
    root.post('PFNs in another state', '/replicas/bad/pfns', { pfns: ['file://localhost/bad-a/x'], state: 'GONE' }),
    root.post('PFNs without list', '/replicas/bad/pfns', { state: 'BAD' }),
    bob.post('PFNs as somebody', '/replicas/bad/pfns', { pfns: ['file://localhost/bad-a/x'], state: 'BAD' }),

    root.get('the log', '/replicas/bad/states?rse=BAD_A'),
    root.get('the log of a state', '/replicas/bad/states?rse=BAD_A&state=S'),
    root.get('the log of a bad state', '/replicas/bad/states?state=BAD'),
    root.get('the log of the future', '/replicas/bad/states?younger_than=2100-01-01T00:00:00.000000'),
    root.get('the log since a bad time', '/replicas/bad/states?younger_than=x'),
    root.get('the log of an unknown RSE', '/replicas/bad/states?rse=BAD_NONE', ABSENT),
    root.get('the log as PFNs', '/replicas/bad/states?rse=BAD_A&state=B&list_pfns=True'),
    root.get('the summary', '/replicas/bad/summary?rse_expression=BAD_A', { compare: 'keys' }),
    root.get('the summary since a bad date', '/replicas/bad/summary?from_date=x'),
    root.get(
      'the summary by a bad expression',
      '/replicas/bad/summary?rse_expression=((',
      asInput('InvalidRSEExpression'),
    ),

    root.post('quarantine', '/replicas/quarantine', { rse: 'BAD_A', replicas: [{ path: '/bad-a/dark' }] }),
    root.post(
      'quarantine with scope and name',
      '/replicas/quarantine',
      {
        rse: 'BAD_A',
        replicas: [{ path: '/bad-a/darker', scope: 'bad', name: 'f1' }],
      },
      OK,
    ),
    root.post(
      'quarantine nowhere',
      '/replicas/quarantine',
      { replicas: [{ path: '/bad-a/dark' }] },
      asInput('InputValidationError'),
    ),
    root.post('quarantine on an unknown RSE', '/replicas/quarantine', { rse: 'BAD_NONE', replicas: [{ path: '/x' }] }),
    bob.post('quarantine as somebody', '/replicas/quarantine', { rse: 'BAD_A', replicas: [{ path: '/x' }] }),

    root.post('files of PFNs without RSE', '/replicas/dids', { pfns: ['file://localhost/bad-a/x'] }),
    root.post('files of PFNs on an unknown RSE', '/replicas/dids', { rse: 'BAD_NONE', pfns: [] }, ABSENT),
    root.post('files of paths', '/replicas/dids', { rse: 'BAD_ODD', pfns: ['file://localhost/bad-odd/x/y'] }, OK),
    root.post('files of no paths', '/replicas/dids', { rse: 'BAD_ODD', pfns: [] }, OK),

    nobody.get('the way to a file', '/redirect/bad/w'),
    nobody.get('the way to a file on an RSE', '/redirect/bad/w?rse=BAD_WEB', use(303, null, 'replication 1.11')),
    nobody.get('the way to a file elsewhere', '/redirect/bad/w?rse=BAD_A', { compare: 'status' }),
    nobody.get('the way to an unknown file', '/redirect/bad/none', { compare: 'status' }),
    nobody.get('the way to what HTTP cannot read', '/redirect/bad/odd', { compare: 'status' }),
    nobody.get('the way to half a name', '/redirect/bad'),
    nobody.get('the ways to a file', '/redirect/bad/w/metalink'),
    nobody.get('the ways to a dataset', '/redirect/bad/ds/metalink'),
    nobody.get('the ways to an unknown file', '/redirect/bad/none/metalink', { compare: 'status' }),
  ],
};
