import { beforeAll, describe, expect, it } from 'vitest';

import {
  addProtocol,
  collect,
  expectStatus,
  files,
  type Line,
  list,
  newStorageRse,
  register,
} from '../support/replicas.ts';
import { asRoot, expectError, newScope } from '../support/server.ts';

/** Each process caches options for a minute (docs/operations/configuration.md). */
const untilCached = { timeout: 75_000, interval: 500 };

const root = asRoot();
const gfal = 'rucio.rse.protocols.gfal.Default';
let scope: string;
/** An RSE with four protocols: two schemes serve both domains, one each only one. */
let many: string;
let tape: string;
let site: string;

const at = (hostname: string, lan: number | null, wan: number | null) => ({
  hostname,
  impl: gfal,
  port: 1094,
  prefix: '/d',
  domains: { lan: { read: lan }, wan: { read: wan } },
});

beforeAll(async () => {
  [scope, many, tape] = await Promise.all([newScope(), newStorageRse(), newStorageRse({ rse_type: 'TAPE' })]);
  site = `SITE-${scope}`;
  await addProtocol(many, 'root', at('xrd', 2, 1));
  await addProtocol(many, 'davs', at('dav', 1, 2));
  await addProtocol(many, 'https', at('web', null, 3));
  await addProtocol(many, 'scp', at('ssh', 3, null));
  await addProtocol(tape, 'root', at('tape', null, 1));
  expectStatus(await root.post(`/rses/${many}/attr/site`, { value: site }), 201);
  for (const rse of [many, tape]) await register(rse, scope, ['a', 'z.zip']);
  expectStatus(await root.post(`/dids/${scope}/z.zip/dids`, { dids: files(scope, ['in/side', 'a']) }), 201);
  await collect('DATASET', scope, 'ds', ['in/side', 'a']);
});

/** The PFNs of a line: the host with scheme, the domain, and a mark for archives; in the order of their priorities. */
function doors({ pfns }: Line): string[] {
  const entries = Object.entries(pfns);
  expect(entries.map(([, { priority }]) => priority)).toEqual(entries.map((_entry, index) => index + 1));
  return entries.map(([pfn, { domain, client_extract: extract }]) => {
    const [, scheme = '', host = ''] = /^(\w+):\/\/(\w+)/.exec(pfn) ?? [];
    return `${scheme} ${host} ${domain}${extract ? ' extract' : ''}`;
  });
}

async function doorsOf(name: string, more: object = {}): Promise<string[]> {
  const [line] = await list(scope, [name], { resolve_archives: false, ...more });
  return doors(line as Line);
}

interface PfnOf {
  readonly rse: string;
  readonly priority: number;
}

describe('PFNs of a list of replicas (replication 1.4, 1.10)', () => {
  it('are one for each RSE, by the protocol with the best priority in any domain', async () => {
    expect(await doorsOf('a')).toEqual(['root tape wan', 'root xrd wan']);
    expect(await doorsOf('a', { domain: 'wan', schemes: [] })).toEqual(['root tape wan', 'root xrd wan']);
  });

  it('have the requested schemes, sorted by domain, then priority', async () => {
    const wan = ['root tape wan', 'root xrd wan', 'davs dav wan', 'https web wan'];
    expect(await doorsOf('a', { schemes: ['https', 'root', 'davs', 'scp'] })).toEqual(wan);
    expect(await doorsOf('a', { schemes: 'https,root,davs' })).toEqual(wan);
    expect(await doorsOf('a', { schemes: 'davs' })).toEqual(['davs dav wan']);
    expect(await doorsOf('a', { schemes: ['nothing'] })).toEqual([]);
  });

  it('are those of one domain or both; a PFN of both counts as LAN', async () => {
    expect(await doorsOf('a', { domain: 'lan' })).toEqual(['davs dav lan']);
    expect(await doorsOf('a', { domain: 'all' })).toEqual(['davs dav lan', 'root xrd lan', 'root tape wan']);
    const schemes = ['https', 'scp'];
    expect(await doorsOf('a', { domain: 'all', schemes })).toEqual(['scp ssh lan', 'https web wan']);
    for (const domain of ['WAN', 'x', '']) expect(await doorsOf('a', { domain })).toEqual([]);
  });

  it('are those of the LAN for a client at the site', async () => {
    const there = { client_location: { site, ip: '1.2.3.4', fqdn: null, latitude: 1 } };
    expect(await doorsOf('a', there)).toEqual(['davs dav lan', 'root tape wan']);
    expect(await doorsOf('a', { ...there, domain: 'wan' })).toEqual(['root tape wan', 'root xrd wan']);
    expect(await doorsOf('a', { client_location: { site: 'elsewhere' } })).toEqual(['root tape wan', 'root xrd wan']);
  });

  it('have the type of the RSE', async () => {
    const [line] = await list(scope, ['a'], { resolve_archives: false });
    const kinds = Object.values(line?.pfns ?? {}).map((entry) => [entry.rse, (entry as { type?: string }).type]);
    expect(kinds).toEqual([
      [tape, 'TAPE'],
      [many, 'DISK'],
    ]);
  });

  it('are listed by RSE as well, each from the best to the worst', async () => {
    const [line] = await list(scope, ['a'], { schemes: ['https', 'root'], resolve_archives: false });
    expect(line?.rses[many]?.map((pfn) => pfn.split(':')[0])).toEqual(['root', 'https']);
    expect(line?.rses[tape]).toHaveLength(1);
  });

  it('are missing, unlike the state, if an RSE has no protocol', async () => {
    const rse = await newStorageRse();
    await register(rse, scope, ['bare']);
    expect(await list(scope, ['bare'])).toMatchObject([{ pfns: {}, rses: {}, states: { [rse]: 'AVAILABLE' } }]);
  });

  it('point into archives for files that are named or in a dataset, by root whatever the schemes', async () => {
    expect(await doorsOf('in/side', { resolve_archives: true })).toEqual(['root tape zip', 'root xrd zip']);
    expect(await doorsOf('in/side')).toEqual([]);
    const [line] = await list(scope, ['in/side']);
    expect(Object.keys(line?.pfns ?? {})[0]).toMatch(/^root:\/\/tape:1094\/d\/.*\/z\.zip\?xrdcl\.unzip=in%2Fside$/);
    expect(line?.states).toEqual({ [many]: 'AVAILABLE', [tape]: 'AVAILABLE' });
    expect(await doorsOf('in/side', { resolve_archives: true, schemes: ['davs'] })).toEqual([
      'root tape zip',
      'root xrd zip',
      'davs dav zip extract',
    ]);
    expect(await doorsOf('a', { resolve_archives: true })).toEqual([
      'root tape wan',
      'root xrd wan',
      'root tape zip',
      'root xrd zip',
    ]);
    expect((await list(scope, ['ds'])).map(({ name }) => name)).toEqual(['a', 'in/side']);
    expect((await list(scope, ['ds'], { resolve_archives: false })).map(({ name }) => name)).toEqual(['a']);
  });

  it('are those of the LAN at all sites of an expression; one that cannot be evaluated has none', async () => {
    const both = { client_location: { site: `NO-SUCH|site=${site}` }, schemes: ['davs', 'https', 'root', 'scp'] };
    expect(await doorsOf('a', both)).toEqual(['davs dav lan', 'root xrd lan', 'scp ssh lan', 'root tape wan']);
    const wan = ['root tape wan', 'root xrd wan'];
    for (const text of ['((', 'x=', '*', `${site}&NO-SUCH`]) {
      expect(await doorsOf('a', { client_location: { site: text } })).toEqual(wan);
    }
  });

  it('go through the outgoing proxy of the site of the caller, by root and HTTP to other sites', async () => {
    const [own, cached] = [`OWN-${scope}`, `CACHED-${scope}`];
    const proxies = { [own]: 'proxy.com:1094', [cached]: 'proxy.com:1094', [site]: 'proxy.com:1094' };
    const options = { 'root-proxy-internal': proxies, clientcachemap: { [cached]: 'CACHE' } };
    expectStatus(await root.post('/config', options), 201);
    const pfnsFrom = async (from: string, more: object = {}) => {
      const wish = { client_location: { site: from }, schemes: ['root', 'davs', 'https'], resolve_archives: false };
      const [line] = await list(scope, ['a'], { ...wish, ...more });
      return Object.keys((line as Line).pfns).map((pfn) => /^(.*:1094)\/\/?d\//.exec(pfn)?.[1] ?? pfn);
    };
    const direct = ['root://tape:1094', 'root://xrd:1094', 'davs://dav:1094', 'https://web:1094'];
    const behind = (pfn: string) => (pfn.startsWith('davs') ? pfn : `root://proxy.com:1094//${pfn}`);
    await expect.poll(() => pfnsFrom(own), untilCached).toEqual(direct.map(behind));
    expect(await pfnsFrom(cached)).toEqual(direct);
    expect(await pfnsFrom(site, { rse_expression: many, domain: 'wan' })).toEqual(direct.slice(1));
    expect(await pfnsFrom(own, { rse_expression: many, domain: 'lan' })).toEqual([
      'davs://dav:1094',
      'root://xrd:1094',
    ]);
    const getMetalink = async () => {
      const headers = { Accept: 'application/metalink4+xml' };
      return (await root.get(`/redirect/${scope}/a/metalink?site=${own}&schemes=https`, { headers })).text;
    };
    await expect.poll(getMetalink, untilCached).toContain('>root://proxy.com:1094//https://web:1094/d/');
  }, 180_000);

  it('say how many connections to use where an RSE knows no multi-range requests', async () => {
    const rse = await newStorageRse();
    await addProtocol(rse, 'davs', at('one', 1, 1));
    await register(rse, scope, ['m', 'm.zip']);
    expectStatus(await root.post(`/dids/${scope}/m.zip/dids`, { dids: files(scope, ['inner']) }), 201);
    const pfnOf = async (name: string) =>
      Object.keys((await list(scope, [name], { rse_expression: rse }))[0]?.pfns ?? {})[0];
    const plain = await pfnOf('m');
    for (const [value, connections] of [
      [10, 10],
      [' 7 ', 7],
      ['1_0', 10],
      [-2, 1],
      [0, 1],
      [56.7, 1],
      ['oops', 1],
      [true, 1],
    ] as const) {
      expectStatus(await root.post(`/rses/${rse}/attr/simulate_multirange`, { value }), 201);
      expect(await pfnOf('m')).toBe(`${plain}&#multirange=false&nconnections=${connections}`);
    }
    expect(await pfnOf('inner')).toMatch(/m\.zip&\?xrdcl\.unzip=inner#multirange=false&nconnections=1$/);
    const metalink = await root.post(
      '/replicas/list',
      { dids: [{ scope, name: 'm' }] },
      { headers: { Accept: 'application/metalink4+xml' } },
    );
    expect(metalink.text).toContain('/m&amp;#multirange=false&amp;nconnections=1</url>');
  });

  it('are sorted by the distance of the caller with sort=geoip, those without a location last', async () => {
    const places = { geneva: [46.2, 6.1], chicago: [41.9, -87.6], tokyo: [35.7, 139.7], nowhere: [] };
    const names = new Map<string, string>();
    for (const [place, [latitude, longitude]] of Object.entries(places)) {
      const rse = await newStorageRse({ latitude, longitude });
      names.set(rse, place);
      await addProtocol(rse, 'root', at(place, 1, 1));
      await register(rse, scope, ['far']);
    }
    const orderOf = async (client_location: object | undefined, more: object = {}) => {
      const body = { dids: [{ scope, name: 'far' }], client_location, ...more };
      const metalink = await root.post('/replicas/list', body, { headers: { Accept: 'application/metalink4+xml' } });
      const listed = Array.from(metalink.text.matchAll(/location="([^"]+)"/g), ([, rse = '']) => names.get(rse));
      const [line] = (await root.post('/replicas/list', body)).lines() as {
        pfns: Record<string, PfnOf>;
        rses: object;
      }[];
      const entries = Object.values(line?.pfns ?? {}).toSorted((a, b) => a.priority - b.priority);
      expect(entries.map(({ rse }) => names.get(rse))).toEqual(listed);
      expect(Object.keys(line?.rses ?? {}).map((rse) => names.get(rse))).toEqual(listed);
      return listed;
    };
    const paris = { latitude: 48.9, longitude: 2.3, ip: null, fqdn: 'x' };
    expect(await orderOf(paris)).toEqual(['geneva', 'chicago', 'tokyo', 'nowhere']);
    expect(await orderOf(paris, { sort: 'geoip' })).toEqual(['geneva', 'chicago', 'tokyo', 'nowhere']);
    expect(await orderOf({ latitude: '37.5', longitude: '127.0' })).toEqual(['tokyo', 'geneva', 'chicago', 'nowhere']);
    // Across the date line.
    expect((await orderOf({ latitude: 21.3, longitude: -157.9 }))[0]).toBe('tokyo');
    const unsorted = await orderOf(undefined);
    for (const nonsense of [{ latitude: 1 }, { latitude: 'x', longitude: 'y' }, { latitude: 91, longitude: 0 }, {}])
      expect(await orderOf(nonsense)).toEqual(unsorted);
    expect(await orderOf(paris, { sort: 'custom_table' })).toEqual(unsorted);
    const [here, nonsense] = [`HERE-${scope}`, `NONSENSE-${scope}`];
    const rseOf = new Map([...names].map(([rse, name]) => [name, rse]));
    const distances = { [rseOf.get('tokyo') ?? '']: 0.1, [rseOf.get('nowhere') ?? '']: 0.2 };
    const table = { custom_distance: { [here]: JSON.stringify(distances), [nonsense]: '{' } };
    expectStatus(await root.post('/config', table), 201);
    // Another process may use the options of before for a minute.
    await expect
      .poll(async () => (await orderOf({ site: here }, { sort: 'custom_table' })).slice(0, 2), { timeout: 70_000 })
      .toEqual(['tokyo', 'nowhere']);
    expect(await orderOf({ site: nonsense }, { sort: 'custom_table' })).toEqual(unsorted);
    expect(await orderOf({ site: here })).toEqual(unsorted);
  }, 100_000);

  it('are sorted by an algorithm: random ones shuffle PFNs outside the site', async () => {
    for (const sort of ['geoip', 'custom_table']) expect(await doorsOf('a', { sort })).toHaveLength(2);
    const seen = new Set<string>();
    for (let run = 0; run < 60 && seen.size < 2; run += 1) seen.add((await doorsOf('a', { sort: 'random' })).join());
    expect(seen.size).toBe(2);
    for (let run = 0; run < 5; run += 1) {
      expect((await doorsOf('a', { sort: 'random', domain: 'all' })).slice(0, 2)).toEqual([
        'davs dav lan',
        'root xrd lan',
      ]);
    }
    const message = "Sorting algorithm: x is not supported. Supported protocols: ['geoip', 'custom_table', 'random']";
    const body = { dids: [{ scope, name: 'a' }] };
    expectError(
      await root.post('/replicas/list', { ...body, sort: 'x' }),
      400,
      'SortingAlgorithmNotSupported',
      message,
    );
    for (const query of ['sort=x', 'select=x', 'select=geoip&sort=x']) {
      expectError(await root.post(`/replicas/list?${query}`, body), 400, 'SortingAlgorithmNotSupported', message);
    }
    expect((await root.post('/replicas/list?select=x&sort=geoip', body)).status).toBe(200);
  });

  it('are limited for each file by a number in the query', async () => {
    const body = { dids: [{ scope, name: 'a' }], schemes: ['root', 'https'], resolve_archives: false };
    const cut = async (limit: string) => (await root.post(`/replicas/list?limit=${limit}`, body)).lines() as Line[];
    expect(doors((await cut('2'))[0] as Line)).toEqual(['root tape wan', 'root xrd wan']);
    expect((await cut('2'))[0]?.rses[many]).toHaveLength(2);
    for (const limit of ['0', '-1']) expect((await cut(limit))[0]?.pfns).toEqual({});
    expectError(await root.post('/replicas/list?limit=x', body), 400, 'InvalidObject');
  });
});
