import { account, as, rse, scope, use } from '../steps.ts';
import type { JsonValue, Scenario, Step } from '../types.ts';

const root = as('root');
const alice = as('prot-alice');

const gfal = 'rucio.rse.protocols.gfal.Default';
const everything = { lan: { read: 1, write: 1, delete: 1 }, wan: { read: 1, write: 1, delete: 1 } };

/** Set-up of a protocol at `h.example.org`. */
function protocol(rseName: string, scheme: string, body: { [key: string]: JsonValue } = {}): Step {
  const defaults = { impl: gfal, hostname: 'h.example.org', port: 1094, prefix: '/p', domains: everything };
  const entry = { ...defaults, ...body };
  const name = `set up ${scheme} of ${rseName} at ${entry.hostname} ${entry.port}`;
  return root.post(name, `/rses/${rseName}/protocols/${scheme}`, entry);
}

const protocols = '/rses/PROT-A/protocols';
const pfns = (rseName: string, query: string) => `/rses/${rseName}/lfns2pfns?${query}`;
const add = (name: string, body: JsonValue, difference = {}) =>
  root.post(`add ${name}`, `${protocols}/x`, body, difference);
const domains = (value: JsonValue) => ({ impl: gfal, domains: value });

/** Implementations with what a protocol of theirs needs, one RSE each. */
const implementations: [impl: string, scheme: string, more: { [key: string]: JsonValue }][] = [
  ['webdav.Default', 'davs', {}],
  ['webdav.NoRename', 'https', { port: 0 }],
  ['xrootd.Default', 'root', { prefix: '//eos' }],
  ['mock.Default', 'mock', { prefix: null }],
  ['gfal.Default', 'srm', { extended_attributes: { web_service_path: '/srm/managerv2?SFN=' } }],
  ['gfal.NoRename', 's3', { hostname: 'https://s3.example.org', port: 443 }],
  ['gfal.CLI', 'root', { port: 0 }],
  ['posix.Default', 'file', { port: 7 }],
  ['posix.Symlink', 'file', { hostname: 'localhost', port: 0 }],
  ['ssh.Default', 'scp', { extended_attributes: { user: 'rucio' } }],
  ['ssh.Rsync', 'rsync', {}],
  ['storm.Default', 'x', {}],
  ['bittorrent.Default', 'magnet', {}],
  ['cache.Default', 'cache', {}],
];

function implementation([impl, scheme, more]: (typeof implementations)[number], index: number): Step[] {
  const name = `PROT-I${index}`;
  const lfns = 'lfn=user.jdoe:a.root&lfn=test:/a/b*c%20d~e';
  return [
    rse(name),
    protocol(name, scheme, { impl: `rucio.rse.protocols.${impl}`, ...more }),
    root.get(`PFNs of ${impl}`, pfns(name, lfns)),
  ];
}

/** Protocols of an RSE, and the PFNs that follow from them. */
export const rseProtocols: Scenario = {
  name: 'rse-protocols',
  about: '/rses/{rse}/protocols, /rses/{rse}/lfns2pfns',
  steps: [
    ...account('prot-alice'),
    scope('prot'),
    ...['PROT-A', 'PROT-EMPTY', 'PROT-GONE', 'PROT-CHOICE', 'PROT-ID'].map((name) => rse(name)),
    rse('PROT-TAPE', { deterministic: false }),
    root.delete('disable PROT-GONE', '/rses/PROT-GONE'),

    root.post('least', `${protocols}/mock`, { impl: gfal }),
    protocol('PROT-A', 'davs', { extended_attributes: { a: [1, null, 'é'], big: 9007199254740992 } }),
    protocol('PROT-A', 'root', { hostname: 'a.example.org', prefix: 'no/slash' }),
    root.post('scheme of the body', `${protocols}/path`, { impl: gfal, scheme: 'body', colour: 5 }),
    root.post('flat priorities', `${protocols}/flat`, {
      impl: gfal,
      read_lan: 4,
      read_wan: -3,
      third_party_copy_read: 9,
      domains: { lan: { read: 6, third_party_copy_write: 7 }, wan: {} },
    }),
    root.post('nulls', `${protocols}/nulls`, { impl: gfal, hostname: null, port: null, prefix: null }),
    root.post('port as text', `${protocols}/text`, { impl: gfal, port: '12' }),
    root.post('again', `${protocols}/text`, { impl: gfal, port: 12 }),
    root.post('srm without service', `${protocols}/srm`, { impl: gfal }),
    root.post('srm with other attributes', `${protocols}/srm`, { impl: gfal, extended_attributes: { b: 1 } }),
    root.get('list', protocols, { compare: 'ordered' }),
    root.get('list ignores filters', `${protocols}?operation=read&default=true&protocol_domain=lan`),
    root.get('settings', `${protocols}/davs`),
    root.get('settings of an unknown scheme', `${protocols}/none`),
    root.get('settings without protocols', '/rses/PROT-EMPTY/protocols/davs'),
    root.get('list without protocols', '/rses/PROT-EMPTY/protocols'),
    root.get('list of an unknown rse', '/rses/PROT-NONE/protocols'),
    root.get('list of a disabled rse', '/rses/PROT-GONE/protocols'),
    root.get('settings of a disabled rse', '/rses/PROT-GONE/protocols/davs'),
    root.get('list as stream', protocols, { headers: { Accept: 'application/x-json-stream' } }),

    add('without impl', {}),
    add('with impl null', { impl: null }),
    add('with an unknown domain', domains({ LAN: {} })),
    add('with an unknown operation', domains({ lan: { READ: 1 } }), use(404, 'RSEOperationNotSupported', 'rses 9.4')),
    add('with priority true', domains({ lan: { read: true } })),
    add('with priority -1', domains({ wan: { third_party_copy_read: -1 } })),
    add('with priority as text', domains({ wan: { write: '1' } })),
    add('with priority list', domains({ wan: { write: [1, 'a', null] } })),
    add('with domains null', domains(null), use(400, 'InvalidObject', 'rses 9.4')),
    add('with port as word', { impl: gfal, port: 'x' }, use(400, 'InvalidObject', 'rses 3.2')),
    add('with empty attributes', { impl: gfal, extended_attributes: {} }, use(201, null, 'rses 1.18')),
    root.delete('remove what has empty attributes', `${protocols}/x`, undefined, use(200, null, 'rses 1.18')),
    add('without body', { raw: '' }),
    add('with a list', []),
    root.post('add to an unknown rse', '/rses/PROT-NONE/protocols/x', {}),
    root.post('add to a disabled rse', '/rses/PROT-GONE/protocols/x', {}),
    alice.post('add without permission', `${protocols}/x`, {}),
    alice.post('add to an unknown rse without permission', '/rses/PROT-NONE/protocols/x', {}),

    root.put('change nothing', `${protocols}/text/localhost/12`, {}),
    root.put('change some', `${protocols}/text/localhost/12`, {
      prefix: '/q',
      domains: { lan: { read: 2 } },
      extended_attributes: [],
      write_wan: 3,
      colour: 5,
    }),
    root.get('after the change', protocols),
    root.put('change to null', `${protocols}/text/localhost/12`, {
      prefix: null,
      domains: { lan: { read: null } },
      extended_attributes: null,
    }),
    root.get('after the change to null', protocols),
    root.put('collide', `${protocols}/text/localhost/12`, { scheme: 'mock', port: 0 }),
    root.put(
      'leave the impl out',
      `${protocols}/text/localhost/12`,
      { impl: null },
      use(400, 'InvalidObject', 'rses 1.19'),
    ),
    root.put('an unknown domain', `${protocols}/text/localhost/12`, { domains: { x: {} } }),
    root.put('a bad priority', `${protocols}/text/localhost/12`, { domains: { lan: { read: 1.5 } } }),
    root.put('another port', `${protocols}/text/localhost/13`, {}),
    root.put('no port', `${protocols}/text/localhost`, {}),
    root.put('no host', `${protocols}/text`, {}),
    root.put('a word as port', `${protocols}/text/localhost/x`, {}, use(404, 'RSEProtocolNotSupported', 'rses 9.4')),
    root.put('zeros before the port', `${protocols}/text/localhost/012`, {}),
    root.put('of an unknown rse', '/rses/PROT-NONE/protocols/x/h/1', {}),
    root.put('of a disabled rse', '/rses/PROT-GONE/protocols/x/h/1', {}),
    alice.put('without permission', `${protocols}/text/localhost/12`, {}, use(401, 'AccessDenied', 'rses 9.4')),
    root.put('without body', `${protocols}/text/localhost/12`, { raw: '' }),

    ...[1, 2].map((port) => protocol('PROT-A', 'gone', { hostname: 'one', port })),
    protocol('PROT-A', 'gone', { hostname: 'two', port: 1 }),
    alice.delete('remove without permission', `${protocols}/gone`, undefined, use(401, 'AccessDenied', 'rses 9.4')),
    root.delete('remove one', `${protocols}/gone/one/1`),
    root.delete('remove it again', `${protocols}/gone/one/1`),
    root.delete('remove of a host', `${protocols}/gone/one`),
    root.delete('remove of that host again', `${protocols}/gone/one`),
    root.delete('remove of a scheme', `${protocols}/gone`),
    root.delete('remove of that scheme again', `${protocols}/gone`),
    root.delete(
      'remove with a word as port',
      `${protocols}/gone/one/x`,
      undefined,
      use(404, 'RSEProtocolNotSupported', 'rses 9.4'),
    ),
    root.delete('remove of an unknown rse', '/rses/PROT-NONE/protocols/x'),
    root.delete('remove of a disabled rse', '/rses/PROT-GONE/protocols/x'),
    root.get('what is left', protocols),

    ...implementations.flatMap(implementation),

    protocol('PROT-CHOICE', 'root', {
      domains: { wan: { read: 1, write: 3, delete: 0, third_party_copy_read: 2 }, lan: { read: 2 } },
    }),
    protocol('PROT-CHOICE', 'davs', {
      domains: { wan: { read: 2, write: 1, delete: 1, third_party_copy_read: 1 }, lan: { read: 1, write: 0 } },
    }),
    protocol('PROT-CHOICE', 'https', { domains: { wan: { read: 3 } } }),
    ...[
      '',
      '&operation=read',
      '&operation=DELETE',
      '&operation=third_party_copy_read',
      '&domain=lan',
      '&scheme=root',
      '&scheme=',
      '&scheme=root,https&operation=read',
      '&scheme=https,davs&operation=read',
    ].map((query) => root.get(`choice${query}`, pfns('PROT-CHOICE', `lfn=s:n${query}`))),
    ...['&operation=third_party_copy_write', '&domain=lan&operation=delete', '&scheme=https'].map((query) =>
      root.get(
        `choice${query}`,
        pfns('PROT-CHOICE', `lfn=s:n${query}`),
        use(404, 'RSEProtocolNotSupported', 'rses 6.3'),
      ),
    ),
    root.get(
      'unknown domain',
      pfns('PROT-CHOICE', 'lfn=s:n&domain=LAN'),
      use(404, 'RSEProtocolDomainNotSupported', 'rses 6.3'),
    ),
    root.get(
      'unknown operation',
      pfns('PROT-CHOICE', 'lfn=s:n&operation=List'),
      use(404, 'RSEOperationNotSupported', 'rses 6.3'),
    ),
    root.get('no colon', pfns('PROT-CHOICE', 'lfn=s:n&lfn=plain'), use(400, 'InvalidPath', 'rses 6.3')),
    root.get('no LFN', pfns('PROT-CHOICE', '')),
    root.get(
      'several LFNs',
      pfns('PROT-CHOICE', 'lfn=s:n&lfn=a:b:c&lfn=s:n&lfn=:x&lfn=s:'),
      use(200, null, 'the empty name has the path of a folder, which is not handed out (rses 6.3)'),
    ),
    root.get('PFNs of an unknown rse', pfns('PROT-NONE', 'lfn=s:n')),
    root.get('PFNs of a disabled rse', pfns('PROT-GONE', 'lfn=s:n')),
    root.get('PFNs as stream', pfns('PROT-CHOICE', 'lfn=s:n'), { headers: { Accept: 'application/x-json-stream' } }),
    alice.get('PFNs for everybody', pfns('PROT-CHOICE', 'lfn=s:n')),

    root.post('set up algorithm', '/rses/PROT-ID/attr/lfn2pfn_algorithm', { value: 'identity' }),
    protocol('PROT-ID', 'davs'),
    root.get('PFN by identity', pfns('PROT-ID', 'lfn=user.jdoe:a/b&lfn=s.t:n')),
    root.get('settings name the algorithm', '/rses/PROT-ID/protocols/davs'),

    protocol('PROT-TAPE', 'root', { impl: 'rucio.rse.protocols.webdav.Default' }),
    root.post('register on tape', '/dids/prot/ds', {
      type: 'DATASET',
      rse: 'PROT-TAPE',
      dids: [
        { scope: 'prot', name: 'f1', bytes: 1, pfn: 'root://h.example.org:1094/p/dir1//dir2/f1.data' },
        { scope: 'prot', name: 'f2', bytes: 1, pfn: 'root://h.example.org:1094//p/top' },
      ],
    }),
    root.get('PFNs on tape', pfns('PROT-TAPE', 'lfn=prot:f1&lfn=prot:f2&lfn=prot:none')),
    root.get('no PFN on tape', pfns('PROT-TAPE', 'lfn=prot:none')),
    ...[
      ['host', 'root://other:1094/p/f'],
      ['port', 'root://h.example.org/p/f'],
      ['prefix', 'root://h.example.org:1094/q/r/f'],
    ].map(([what, pfn = '']) =>
      root.post(
        `PFN of another ${what} on tape`,
        '/dids/prot/ds/dids',
        { rse: 'PROT-TAPE', dids: [{ scope: 'prot', name: 'f3', bytes: 1, pfn }] },
        use(400, 'RSEFileNameNotSupported', 'access 7.1'),
      ),
    ),
    root.post('register on a disabled rse', '/dids/prot/ds/dids', {
      rse: 'PROT-GONE',
      dids: [{ scope: 'prot', name: 'f3', bytes: 1 }],
    }),
  ],
};
