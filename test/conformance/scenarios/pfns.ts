import { as, rse, scope } from '../steps.ts';
import type { JsonValue, Scenario, Step } from '../types.ts';

const root = as('root');
const METALINK = { headers: { Accept: 'application/metalink4+xml' } };
/** Sorted by the ids of RSEs, which are random. */
const BY_ID = { ...METALINK, compare: 'status' } as const;
const dids = [{ scope: 'pfp', name: 'f' }];
const both = (lan: number | null, wan: number | null): JsonValue => ({
  lan: { read: lan, write: lan, delete: lan },
  wan: { read: wan, write: wan, delete: wan },
});

function protocol(name: string, scheme: string, hostname: string, domains: JsonValue): Step {
  const impl = `rucio.rse.protocols.${scheme === 'root' ? 'xrootd' : 'gfal'}.Default`;
  const port = scheme === 'root' ? 1409 : 443;
  const prefix = scheme === 'root' ? '//test/' : '/test/';
  const body = { scheme, hostname, port, prefix, impl, domains };
  return root.post(`${scheme} of ${name}`, `/rses/${name}/protocols/${scheme}`, body);
}

const register = (rseName: string, name: string): Step =>
  root.post(`register ${name} on ${rseName}`, '/replicas', {
    rse: rseName,
    files: [{ scope: 'pfp', name, bytes: 10, adler32: '0cc737eb' }],
  });

const attribute = (name: string, key: string, value: JsonValue): Step =>
  root.post(`${key} of ${name} is ${JSON.stringify(value)}`, `/rses/${name}/attr/${key}`, { value });

const schemes = ['root', 'davs', 'https'];
const list = (name: string, more: JsonValue = {}, options = {}): Step =>
  root.post(name, '/replicas/list', { dids, schemes, ...(more as Record<string, JsonValue>) }, options);
const from = (name: string, site: string, more: JsonValue = {}): Step =>
  list(`list ${name}`, { client_location: { site }, ...(more as Record<string, JsonValue>) });

/** The values of `simulate_multirange`, one RSE each, since Rucio keeps the attributes of an RSE for a while. */
const connections: readonly JsonValue[] = [5, '7', -2, 0, 56.7, '56.7', 'oops', true, ' 8 ', '+9', '1_0', '0x10', ''];

const multirange = (value: JsonValue, index: number): Step[] => {
  const name = `PFP_M${String(index)}`;
  return [
    rse(name),
    protocol(name, 'davs', `davs.m${String(index)}.com`, both(1, 1)),
    attribute(name, 'simulate_multirange', value),
    register(name, 'f'),
    list(`list with ${JSON.stringify(value)} connections`, { rse_expression: name }),
  ];
};

/** How PFNs depend on the site of the caller, on proxies and on attributes of RSEs. */
export const pfns: Scenario = {
  name: 'pfns',
  about: 'PFNs: what is near, outgoing proxies, simulated multi-range requests',
  steps: [
    scope('pfp'),
    ...['PFP_A', 'PFP_B', 'PFP_C'].map((name) => rse(name)),
    attribute('PFP_A', 'site', 'PFP-ALPHA'),
    attribute('PFP_B', 'site', 'PFP-BETA'),
    rse('PFP_P'),
    attribute('PFP_P', 'site', 'PFP-PROXY'),
    protocol('PFP_P', 'root', 'root.proxied.com', both(0, 0)),
    protocol('PFP_A', 'root', 'root.alpha.com', both(0, 0)),
    protocol('PFP_A', 'davs', 'davs.alpha.com', both(1, 1)),
    protocol('PFP_B', 'davs', 'davs.beta.com', both(null, 1)),
    protocol('PFP_B', 'root', 'root.beta.com', both(0, 2)),
    protocol('PFP_B', 'https', 'https.beta.com', both(3, 3)),
    protocol('PFP_C', 'davs', 'davs.gamma.com', both(1, 1)),
    ...['PFP_A', 'PFP_B', 'PFP_C'].map((name) => register(name, 'f')),
    list('list from nowhere'),
    from('from one site', 'PFP-ALPHA'),
    from('from the other site', 'PFP-BETA'),
    from('from both sites', 'PFP-ALPHA|site=PFP-BETA'),
    from('from a site without RSEs', 'PFP-OMEGA'),
    from('from no expression', '(('),
    from('from one site, without schemes', 'PFP-ALPHA', { schemes: null }),
    from('from one site, by wan', 'PFP-ALPHA', { domain: 'wan' }),
    from('from one site, by lan', 'PFP-ALPHA', { domain: 'lan' }),
    from('from one site, by all', 'PFP-ALPHA', { domain: 'all' }),
    list('metalink from both sites', { client_location: { site: 'PFP-ALPHA|site=PFP-BETA' } }, METALINK),

    root.post('set an outgoing proxy', '/config', { 'root-proxy-internal': { 'PFP-PROXY': 'proxy.com:1094' } }),
    from('from behind the proxy', 'PFP-PROXY'),
    register('PFP_P', 'f'),
    from('from behind the proxy, at its site, by all', 'PFP-PROXY', { domain: 'all', rse_expression: 'PFP_P' }),
    from('from behind the proxy, by lan', 'PFP-PROXY', { domain: 'lan' }),
    from('from behind the proxy, by all', 'PFP-PROXY', { domain: 'all' }),
    list('metalink from behind the proxy', { client_location: { site: 'PFP-PROXY' } }, METALINK),
    root.post('set a cache', '/config', {
      'root-proxy-internal': { 'PFP-CACHE': 'proxy.com:1094' },
      clientcachemap: { 'PFP-CACHE': 'CACHE' },
    }),
    from('from behind a cache without virtual placement', 'PFP-CACHE'),

    ...connections.flatMap(multirange),
    list('metalink with connections', { rse_expression: 'PFP_M0' }, METALINK),
    register('PFP_M0', 'a.zip'),
    root.post('put a file into an archive', '/dids/pfp/a.zip/dids', {
      dids: [{ scope: 'pfp', name: 'member', bytes: 1, adler32: '0cc737eb' }],
    }),
    list('list a file of the archive', { dids: [{ scope: 'pfp', name: 'member' }] }),
    root.get('replicas of a file', '/replicas/pfp/f', { compare: 'status' }),
    root.get('metalink by redirect', '/redirect/pfp/f/metalink?site=PFP-ALPHA', BY_ID),
    root.get('metalink by redirect from behind the proxy', '/redirect/pfp/f/metalink?site=PFP-PROXY', BY_ID),
    root.get('redirect to both sites', '/redirect/pfp/f?site=PFP-BETA%7Csite%3DPFP-OMEGA&schemes=https'),
    root.get('redirect from behind the proxy', '/redirect/pfp/f?schemes=https&rse=PFP_B&site=PFP-PROXY'),
  ],
};
