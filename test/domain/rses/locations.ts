import type { Location } from '../../../lib/domain/rses/pfn/lfn-to-pfn.ts';
import type { Protocol } from '../../../lib/store/entities/rse-protocol.ts';

const everything = { lan: { read: 1, write: 1, delete: 1 }, wan: { read: 1, write: 1, delete: 1 } };

/** A protocol with all operations. */
export function protocol(scheme: string, impl: string, more: Partial<Protocol> = {}): Protocol {
  return {
    scheme,
    impl: `rucio.rse.protocols.${impl}`,
    hostname: 'localhost',
    port: 0,
    prefix: '',
    domains: everything,
    extendedAttributes: null,
    ...more,
  };
}

/** A deterministic RSE. */
export function location(protocols: readonly Protocol[], more: Partial<Location> = {}): Location {
  return { rse: 'DISK', deterministic: true, attributes: {}, protocols, ...more };
}

/** Vectors of rses 6.2: LFN `user.jdoe:a.root`, algorithm hash. */
export const vectors: readonly [Protocol, string][] = [
  [
    protocol('srm', 'gfal.Default', {
      hostname: 'srm.example.org',
      port: 8443,
      prefix: '/pnfs/rucio',
      extendedAttributes: { web_service_path: '/srm/managerv2?SFN=' },
    }),
    'srm://srm.example.org:8443/srm/managerv2?SFN=/pnfs/rucio/user/jdoe/f6/00/a.root',
  ],
  [
    protocol('gsiftp', 'gfal.Default', { hostname: 'gridftp.example.org', port: 2811, prefix: '/pnfs/rucio/' }),
    'gsiftp://gridftp.example.org:2811/pnfs/rucio/user/jdoe/f6/00/a.root',
  ],
  [
    protocol('root', 'gfal.Default', { hostname: 'xrd.example.org', port: 1094, prefix: '//eos/rucio/' }),
    'root://xrd.example.org:1094//eos/rucio/user/jdoe/f6/00/a.root',
  ],
  [
    protocol('root', 'gfal.Default', { hostname: 'xrd.example.org', prefix: '/eos' }),
    'root://xrd.example.org/eos/user/jdoe/f6/00/a.root',
  ],
  [
    protocol('xroot', 'xrootd.Default', { hostname: 'xrd.example.org', port: 1094, prefix: '//eos' }),
    'xroot://xrd.example.org:1094//eos/user/jdoe/f6/00/a.root',
  ],
  [
    protocol('davs', 'gfal.Default', { hostname: 'dav.example.org', port: 443, prefix: 'webdav/rucio' }),
    'davs://dav.example.org:443/webdav/rucio/user/jdoe/f6/00/a.root',
  ],
  [
    protocol('https', 'webdav.Default', { hostname: 'web.example.org', port: 443, prefix: '/dav' }),
    'https://web.example.org:443/dav/user/jdoe/f6/00/a.root',
  ],
  [
    protocol('http', 'gfal.NoRename', { hostname: 'web.example.org', prefix: '/dav0' }),
    'http://web.example.org/dav0/user/jdoe/f6/00/a.root',
  ],
  [
    protocol('s3', 'gfal.NoRename', { hostname: 's3.example.org', port: 443, prefix: '/bucket' }),
    's3://s3.example.org:443/bucket/user/jdoe/f6/00/a.root',
  ],
  [
    protocol('s3', 'gfal.NoRename', { hostname: 'https://s3.example.org', port: 443, prefix: '/bucket' }),
    's3://s3.example.org:443/bucket/user/jdoe/f6/00/a.root',
  ],
  [protocol('file', 'posix.Default', { prefix: '/tmp/rse' }), 'file://localhost/tmp/rse/user/jdoe/f6/00/a.root'],
  [protocol('mock', 'mock.Default'), 'mock://localhost:0/user/jdoe/f6/00/a.root'],
  [
    protocol('scp', 'ssh.Default', {
      hostname: 'ssh.example.org',
      port: 22,
      prefix: '/scp',
      extendedAttributes: { user: 'rucio' },
    }),
    'scp://rucio@ssh.example.org:22/scp/user/jdoe/f6/00/a.root',
  ],
  [
    protocol('storm', 'storm.Default', { hostname: 'storm.example.org', port: 8080, prefix: '/st' }),
    'storm://storm.example.org:8080/st/user/jdoe/f6/00/a.root',
  ],
  [
    protocol('magnet', 'bittorrent.Default', { hostname: 'bt.example.org', port: 10_000, prefix: '/bt' }),
    'magnet:?x.pe=bt.example.org%3A10000&x.rucio_scope=user.jdoe&x.rucio_name=a.root' +
      '&x.rucio_path=%2Fbt%2Fuser%2Fjdoe%2Ff6%2F00%2Fa.root',
  ],
  [
    protocol('cache', 'cache.Default', { hostname: 'c.example.org', port: 1, prefix: '/c' }),
    'cache://c.example.org:1/c/user.jdoe/a.root',
  ],
];
