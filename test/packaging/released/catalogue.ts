/** The catalogue that is kept of each release, and what is asked of it afterwards. */

/** Sends a request as root. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<string>;

/** Logs in to a server as root; its requests throw an Error if they fail. */
export async function connect(url: string): Promise<Ask> {
  const login = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'secret' };
  const token = (await fetch(new URL('/auth/userpass', url), { headers: login })).headers.get('X-Rucio-Auth-Token');
  return async (method, path, body) => {
    const answer = await fetch(new URL(path, url), {
      method,
      headers: { 'X-Rucio-Auth-Token': token ?? '', Accept: '*/*' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text;
  };
}

const files = ['one', 'two', 'three'].map((name, index) => ({
  scope: 'lab',
  name,
  bytes: 1_000 + index,
  adler32: `0000000${index}`,
  meta: { guid: `${index}`.repeat(32) },
}));
const did = (name: string) => ({ scope: 'lab', name });

/** Something of each kind that a catalogue holds. */
export async function fill(ask: Ask): Promise<void> {
  await ask('POST', '/accounts/alice', { type: 'USER', email: 'alice@example.org' });
  await ask('POST', '/accounts/alice/attr/country', { key: 'country', value: 'ch' });
  const identity = { identity: 'alice', authtype: 'USERPASS', email: 'alice@example.org', password: 'looking-glass' };
  await ask('POST', '/accounts/alice/identities', identity);
  await ask('POST', '/scopes/root/lab');
  for (const rse of ['DISK', 'TAPE']) {
    await ask('POST', `/rses/${rse}`, { rse_type: rse });
    await ask('POST', `/rses/${rse}/attr/site`, { value: 'LAB' });
    for (const account of ['root', 'alice']) {
      await ask('POST', `/accounts/${account}/limits/local/${rse}`, { bytes: 1_000_000 });
    }
  }
  const domain = { read: 1, write: 1, delete: 1 };
  await ask('POST', '/rses/DISK/protocols/davs', {
    hostname: 'disk.example.org',
    port: 443,
    prefix: '/data',
    impl: 'rucio.rse.protocols.webdav.Default',
    domains: { lan: domain, wan: domain },
  });
  await ask('POST', '/rses/DISK/distances/TAPE', { distance: 3 });
  await ask('POST', '/replicas', { rse: 'DISK', files });
  await ask('POST', '/dids/lab/set', { type: 'DATASET', meta: { run_number: 358_031, campaign: 'spring' } });
  await ask('POST', '/dids/lab/set/dids', { dids: files.map(({ name }) => did(name)) });
  await ask('POST', '/dids/lab/all', { type: 'CONTAINER' });
  await ask('POST', '/dids/lab/all/dids', { dids: [did('set')] });
  await ask('PUT', '/dids/lab/set/status', { open: false });
  const rule = { account: 'root', copies: 1, dids: [did('all')] };
  await ask('POST', '/rules/', { ...rule, rse_expression: 'DISK', comment: 'stays' });
  await ask('POST', '/rules/', { ...rule, rse_expression: 'TAPE' });
  await ask('POST', '/subscriptions/root/spring', {
    options: {
      filter: { scope: ['other'] },
      replication_rules: [{ copies: 1, rse_expression: 'TAPE', activity: 'User Subscriptions' }],
      comments: 'new data',
      lifetime: 365,
      retroactive: false,
      dry_run: false,
      priority: 3,
    },
  });
  await ask('PUT', '/config/limits/longest/10');
}

/** Reads that every later version answers as the version that wrote the catalogue; it may say more. */
export const questions: readonly string[] = [
  '/accounts/alice',
  '/accounts/alice/attr/',
  '/accounts/alice/identities',
  '/accounts/root/limits/local',
  '/accounts/root/usage/local',
  '/scopes/',
  '/rses/DISK',
  '/rses/DISK/attr/',
  '/rses/TAPE/usage',
  '/rses/DISK/distances/TAPE',
  '/rses?expression=site=LAB',
  '/dids/lab/set',
  '/dids/lab/set/meta?plugin=ALL',
  '/dids/lab/set/files',
  '/dids/lab/all/dids',
  '/dids/lab/one/parents',
  '/dids/lab/dids/search?type=dataset&run_number=358031',
  '/dids/lab/all/rules',
  '/locks/lab/set?did_type=dataset',
  '/replicas/lab/one',
  '/subscriptions/root/spring',
  '/config/limits',
];
