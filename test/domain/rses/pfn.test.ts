import { describe, expect, it } from 'vitest';

import { assemblePfn } from '../../../lib/domain/rses/pfn/assemble-pfn.ts';
import { chooseProtocols } from '../../../lib/domain/rses/pfn/choose-protocols.ts';
import { computePfn, lfnToPfn, trimPath } from '../../../lib/domain/rses/pfn/lfn-to-pfn.ts';
import { findPathAlgorithm } from '../../../lib/domain/rses/pfn/path-algorithms.ts';
import { location, protocol, vectors } from './locations.ts';

const wide = { operation: 'write', domain: 'wan' } as const;

describe('the path of a file on a deterministic RSE (rses 6.1)', () => {
  it.each([
    ['hash', 'foo', 'bar', 'foo/4e/99/bar'],
    ['hash', 'user.foo', 'bar', 'user/foo/13/7f/bar'],
    ['hash', 'user.jdoe', 'a.root', 'user/jdoe/f6/00/a.root'],
    ['hash', 'user.jdoe.sub', 'x', 'user/jdoe/sub/13/41/x'],
    ['hash', 'group.phys-higgs', 'sub.dir.file', 'group/phys-higgs/77/78/sub.dir.file'],
    ['hash', 'username', 'f', 'username/9d/73/f'],
    ['hash', 'users.a.b', 'f', 'users/a/b/e5/ef/f'],
    ['hash', 'groupies.x', 'f', 'groupies/x/7f/65/f'],
    ['hash', 'User.A', 'f', 'User.A/28/97/f'],
    ['hash', 'mc.user.x', 'f', 'mc.user.x/30/6a/f'],
    ['hash', 'data18_13TeV', 'AOD.123._000001.pool.root.1', 'data18_13TeV/55/5d/AOD.123._000001.pool.root.1'],
    ['hash', 'mock', 'file_1', 'mock/33/1d/file_1'],
    ['hash', 'test', 'a/b/c.root', 'test/54/1a/a/b/c.root'],
    ['hash', 'test', '/belle/a/b.root', 'test/e1/54//belle/a/b.root'],
    ['hash', 'test', 'name with space', 'test/7b/c6/name with space'],
    ['hash', 'test', '\u00e9.txt', 'test/94/6f/\u00e9.txt'],
    ['hash', 'test', 'a+b%20c', 'test/75/09/a+b%20c'],
    ['identity', 'foo', 'bar', 'foo/bar'],
    ['identity', 'user.jdoe', 'a.root', 'user/jdoe/a.root'],
    ['identity', 'users.a.b', 'f', 'users/a/b/f'],
    ['identity', 'test', '/belle/a/b.root', 'test//belle/a/b.root'],
    ['default', 'foo', 'bar', 'foo/4e/99/bar'],
    ['', 'foo', 'bar', 'foo/4e/99/bar'],
  ])('by %s of %s:%s', (algorithm, scope, name, path) => {
    const rse = { rse: 'DISK', attributes: { lfn2pfn_algorithm: algorithm } };
    expect(findPathAlgorithm(rse).pathOf({ scope, name })).toBe(path);
  });

  it('uses hash when the RSE names no algorithm', () => {
    expect(findPathAlgorithm({ rse: 'DISK', attributes: {} }).pathOf({ scope: 'foo', name: 'bar' })).toBe(
      'foo/4e/99/bar',
    );
  });

  it.each(['belleii', 'Hash', 'constructor', true])('is refused when the RSE names %s', (algorithm) => {
    const rse = { rse: 'DISK', attributes: { lfn2pfn_algorithm: algorithm } };
    expect(() => findPathAlgorithm(rse)).toThrow(`RSE DISK has the unknown lfn2pfn_algorithm ${algorithm}`);
  });
});

describe('a PFN (rses 6.2)', () => {
  const did = { scope: 'user.jdoe', name: 'a.root' };

  it.each(vectors)('by $scheme, $impl', (by, pfn) => {
    expect(lfnToPfn(location([by]), did, wide)).toBe(pfn);
  });

  it.each([null, '', '/'])('has one slash when the prefix is %j', (prefix) => {
    expect(lfnToPfn(location([protocol('mock', 'mock.Default', { prefix })]), did, wide)).toBe(
      'mock://localhost:0/user/jdoe/f6/00/a.root',
    );
  });

  it('of an unknown implementation is scheme, host, port, prefix and path', () => {
    const ours = { ...protocol('x', ''), impl: 'our.protocols.Special', hostname: 'h', port: 7, prefix: 'p' };
    expect(lfnToPfn(location([ours]), did, wide)).toBe('x://h:7/p/user/jdoe/f6/00/a.root');
  });

  it.each(['a text', 5, [1], { web_service_path: 7 }])(
    'does not mind extended attributes of %j',
    (extendedAttributes) => {
      const davs = protocol('davs', 'gfal.Default', { hostname: 'h', port: 1, extendedAttributes });
      expect(lfnToPfn(location([davs]), did, wide)).toBe('davs://h:1/user/jdoe/f6/00/a.root');
    },
  );

  it('of rclone has the host of another protocol of the RSE', () => {
    const remote = protocol('rclone', 'rclone.Default', { hostname: 'own', port: 5, prefix: '/r' });
    const dav = protocol('davs', 'webdav.Default', { hostname: 'dav.example.org', port: 443 });
    expect(computePfn(location([remote, dav]), remote, did)).toBe('rclone://dav.example.org:/r/user/jdoe/f6/00/a.root');
    expect(computePfn(location([remote]), remote, did)).toBe('rclone://own:5/r/user/jdoe/f6/00/a.root');
  });

  it('is encoded as a form in a magnet link', () => {
    const magnet = protocol('magnet', 'bittorrent.Default', { hostname: 'h', port: 1, prefix: '/p' });
    expect(assemblePfn(location([]), magnet, { scope: 's', name: "a b*'(é)~" }, "a b*'(é)~")).toBe(
      'magnet:?x.pe=h%3A1&x.rucio_scope=s&x.rucio_name=a+b%2A%27%28%C3%A9%29~&x.rucio_path=%2Fp%2Fa+b%2A%27%28%C3%A9%29~',
    );
  });

  it('is a stored path that is itself a URL, by gfal with a port', () => {
    const rse = location([protocol('davs', 'gfal.Default', { port: 1 })], { deterministic: false });
    expect(lfnToPfn(rse, did, wide, 'https://elsewhere/f')).toBe('https://elsewhere/f');
  });
});

describe('a PFN on a non-deterministic RSE (rses 6.3)', () => {
  const did = { scope: 's', name: 'n' };
  const rse = location([protocol('davs', 'webdav.Default', { hostname: 'h', port: 1, prefix: '/p' })], {
    deterministic: false,
  });

  it('uses the stored path without its leading slash', () => {
    expect(lfnToPfn(rse, did, wide, '/dir1/dir2/f1.data')).toBe('davs://h:1/p/dir1/dir2/f1.data');
    expect(trimPath('/dir1/dir2/')).toBe('dir1/dir2');
  });

  it.each([
    ['root', 'xrootd.Default', 'root://h:1//p//any/f1'],
    ['root', 'gfal.Default', 'root://h:1//p//any/f1'],
    ['davs', 'gfal.Default', 'davs://h:1//p/any/f1'],
    ['scp', 'ssh.Default', 'scp://h:1//p//any/f1'],
    ['rsync', 'ssh.Rsync', 'rsync://h:1//p//any/f1'],
    ['storm', 'storm.Default', 'storm://h:1//p//any/f1'],
    ['globus', 'globus.GlobusRSEProtocol', '//p/any/f1'],
    ['file', 'posix.Default', 'file://h//p/any/f1'],
  ])('puts a stored path behind the prefix as Rucio does: %s by %s', (scheme, impl, pfn) => {
    const by = protocol(scheme, impl, { hostname: 'h', port: 1, prefix: '//p/' });
    expect(lfnToPfn(location([by], { deterministic: false }), did, wide, '/any/f1')).toBe(pfn);
  });

  it('is absent without a stored path', () => {
    expect(lfnToPfn(rse, did, wide)).toBeUndefined();
  });
});

describe('the choice of a protocol (rses 6.3)', () => {
  const tied = { lan: {}, wan: { read: 2 } };
  const rse = location([
    protocol('root', 'gfal.Default', {
      hostname: 'c',
      domains: { lan: { read: 2 }, wan: { read: 1, write: 3, delete: 0, third_party_copy_read: 2 } },
    }),
    protocol('davs', 'gfal.Default', {
      hostname: 'b',
      domains: { lan: { read: 1, write: 0 }, wan: { read: 2, write: 1, delete: 1, third_party_copy_read: 1 } },
    }),
    protocol('https', 'gfal.Default', { hostname: 'a', domains: tied }),
  ]);
  const chosen = (purpose: Partial<Parameters<typeof chooseProtocols>[1]>) =>
    chooseProtocols(rse, { ...wide, ...purpose }).map(({ scheme }) => scheme);

  it.each([
    [{}, ['davs', 'root']],
    [{ operation: 'read' }, ['root', 'davs', 'https']],
    [{ operation: 'delete' }, ['root', 'davs']],
    [{ operation: 'third_party_copy_read' }, ['davs', 'root']],
    [{ operation: 'third_party_copy_write' }, []],
    [{ domain: 'lan' }, ['davs']],
    [{ domain: 'lan', operation: 'delete' }, []],
    [{ schemes: ['root'] }, ['root']],
    [{ schemes: ['https'] }, []],
    [{ schemes: ['root', 'https'], operation: 'read' }, ['root', 'https']],
    [{ schemes: ['https', 'davs'], operation: 'read' }, ['davs', 'https']],
    [{ schemes: ['ROOT'] }, []],
  ] as const)('for %j is %j', (purpose, schemes) => {
    expect(chosen(purpose)).toEqual(schemes);
  });

  it('of equal priority takes the first by hostname, scheme and port, as the RSE lists them', () => {
    const equals = ['a', 'b', 'c'].map((hostname) => protocol('davs', 'gfal.Default', { hostname }));
    expect(chooseProtocols(location(equals), wide)).toEqual(equals);
  });
});
