import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { assemblePfn } from '../../../lib/domain/rses/pfn/assemble-pfn.ts';
import { parsePfn } from '../../../lib/domain/rses/pfn/parse-pfn.ts';
import { volumeOf } from '../../support/volume.ts';
import { protocol, vectors } from './locations.ts';

describe('a PFN parsed by a protocol', () => {
  const davs = protocol('davs', 'webdav.Default', { hostname: 'h', port: 443, prefix: '/p/q' });
  const root = protocol('root', 'gfal.Default', { hostname: 'h', port: 1094, prefix: '/p/q' });
  const file = protocol('file', 'posix.Default', { prefix: '/tmp' });
  const magnet = protocol('magnet', 'bittorrent.Default', { hostname: 'h', port: 7, prefix: '/p' });
  const srm = protocol('srm', 'gfal.Default', { hostname: 'h', port: 8443, prefix: '/pnfs' });

  it.each([
    [davs, 'davs://h:443/p/q/a/b', '/a/b'],
    [davs, 'davs://h:443//p//q/a//b', '/a/b'],
    [davs, 'davs://h:443/p/q/a/b?signature=x#y', '/a/b'],
    [davs, 'davs://h:443/p/q/top', '/top'],
    [root, 'root://h:1094/p/q/a/b', '/a/b'],
    [root, 'root://h/p/q/a/b', '/a/b'],
    [root, 'root://h:1094/p/q//a/b', '/a/b'],
    [file, 'file:///tmp/a', '/a'],
    [file, 'file://anywhere/tmp/a', '/a'],
    [srm, 'srm://h:8443/srm/managerv2?SFN=/pnfs/a=b/c', '/a=b/c'],
    [srm, 'srm://h/srm/v2/server?SFN=/pnfs/a', '/a'],
    [srm, 'srm://h/pnfs/a', '/a'],
    [magnet, 'magnet:?x.pe=h%3A7&x.rucio_path=%2Fp%2Fa+b', '/a b'],
  ])('%# %o: %s has the path %s', (by, pfn, path) => {
    expect(parsePfn(by, pfn)).toEqual({ path });
  });

  it.each([
    [davs, 'root://h:443/p/q/a', "Invalid scheme: provided 'root', expected 'davs'"],
    [davs, 'davs://other:443/p/q/a', "Invalid hostname: provided 'other', expected 'h'"],
    [davs, 'davs://h/p/q/a', "Invalid port: provided '0', expected '443'"],
    [davs, 'davs://h:x/p/q/a', "Invalid port: provided 'x', expected '443'"],
    [davs, 'davs://h:443/p/other/a', "Invalid prefix: provided '/p/other', expected '/p/q/'"],
    [davs, 'davs://h:443/p/qq/a', "Invalid prefix: provided '/p/qq', expected '/p/q/'"],
    [root, 'root://h:1095/p/q/a', "Invalid port: provided '1095', expected '1094'"],
    [root, 'root://H:1094/p/q/a', "Invalid hostname: provided 'H', expected 'h'"],
    [magnet, 'magnet:?x.rucio_path=%2Fp%2Fa', "Invalid hostname: provided '', expected 'h'"],
    [magnet, 'magnet:?x.pe=h%3A8&x.rucio_path=%2Fp%2Fa', "Invalid port: provided '8', expected '7'"],
    [davs, '', "Invalid scheme: provided '', expected 'davs'"],
    [davs, 'davs:', "Invalid hostname: provided '', expected 'h'"],
  ])('%# %o: %s does not belong to it', (by, pfn, misfit) => {
    expect(parsePfn(by, pfn)).toEqual({ misfit });
  });

  it('has the path that it was assembled from', () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9._=+-]{0,8}$/);
    const folders = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join('/'));
    const impls = vectors.map(([{ impl }]) => impl.replace('rucio.rse.protocols.', ''));
    const anyProtocol = fc
      .record({
        scheme: fc.constantFrom('davs', 'root', 'file', 'scp'),
        impl: fc.constantFrom(...impls, 'posix.Symlink', 'ssh.Rsync', 'globus.GlobusRSEProtocol', 'other.Thing'),
        hostname: fc.constantFrom('localhost', 'h.example.org'),
        port: fc.constantFrom(0, 443),
        prefix: fc.oneof(
          fc.constantFrom(null, '', '/', '//eos/'),
          folders,
          folders.map((text) => `/${text}/`),
        ),
        user: fc.constantFrom('rucio', ''),
        service: fc.constantFrom('/srm/managerv2?SFN=', '/own/service?x=', ''),
      })
      .map(({ scheme, impl, hostname, port, prefix, user, service }) =>
        protocol(scheme, impl, {
          hostname,
          // A PFN of a posix protocol has no port.
          port: impl.startsWith('posix') ? 0 : port,
          prefix,
          extendedAttributes: { user, web_service_path: service },
        }),
      );
    fc.assert(
      fc.property(anyProtocol, folders, (by, path) => {
        const pfn = assemblePfn({ protocols: [by] }, by, { scope: 's', name: 'n' }, path);
        expect(parsePfn(by, pfn)).toEqual({ path: `/${path}` });
      }),
      { numRuns: volumeOf('pfns') },
    );
  });
});
