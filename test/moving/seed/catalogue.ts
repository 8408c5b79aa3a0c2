import type { Session } from '../../../moving/compare/session.ts';

/** A request that creates a part of the seed. */
export type Step = readonly [method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown];

/** The RSEs that the mass of files is spread over, and one for each other kind. */
const disks = [0, 1, 2, 3].map((n) => `MV-DISK-${n}`);
const rses = [...disks, 'MV-TAPE', 'MV-NONDET'];

/** Accounts with the passwords of their username of the same name. */
export const users = {
  mvalice: 'alice and a p@ssword: ünï',
  mvbob: 'bob-secret',
  mvgroup: 'group-secret',
  mvadmin: 'admin-secret',
} as const;

const scope = 'mv.odd';
const did = (name: string) => ({ scope, name });
const path = (name: string) => `/dids/${scope}/${encodeURIComponent(name)}`;

/** The names of the files with a replica in each state, and of the collections with rules; states.sql refers to them. */
const stateFiles = Array.from({ length: 8 }, (_value, n) => `states/file.${n + 1}`);
const ruleSets = ['rules.ok', 'rules.inject', 'rules.stuck', 'rules.suspended', 'rules.waiting', 'rules.replicating'];

function* accountSteps(): Generator<Step> {
  for (const [account, password] of Object.entries(users)) {
    const email = `${account}@example.org`;
    yield ['POST', `/accounts/${account}`, { type: account === 'mvgroup' ? 'GROUP' : 'USER', email }];
    const identity = { identity: account, authtype: 'USERPASS', email, password, default: true };
    yield ['POST', `/accounts/${account}/identities`, identity];
  }
  const dn = { identity: '/DC=org/DC=example/CN=Alice #1', authtype: 'X509', email: 'alice@example.org' };
  yield ['POST', '/accounts/mvalice/identities', dn];
  yield ['POST', '/accounts/mvbob/identities', dn];
  yield ['POST', '/accounts/mvadmin/attr/admin', { value: 'true' }];
  yield ['POST', '/accounts/mvalice/attr/country', { value: 'ch' }];
  for (const name of [scope, 'mv.user.bob']) yield ['POST', `/accounts/mvbob/scopes/${name}`];
}

function* rseSteps(): Generator<Step> {
  for (const [n, rse] of rses.entries()) {
    const kind = {
      deterministic: rse !== 'MV-NONDET',
      rse_type: rse === 'MV-TAPE' ? 'TAPE' : 'DISK',
      volatile: n === 3,
    };
    yield [
      'POST',
      `/rses/${rse}`,
      { ...kind, city: `City ${n}`, country_name: 'Switzerland', latitude: 46.2, longitude: 6.1 },
    ];
    for (const [key, value] of Object.entries({
      tier: String(n % 3),
      site: `MV-SITE${n}`,
      moving: 'true',
      'odd-key': 'a b/c',
    })) {
      yield ['POST', `/rses/${rse}/attr/${key}`, { value }];
    }
    const domain = { read: 1, write: 1, delete: 1 };
    const domains = { lan: domain, wan: { ...domain, third_party_copy_read: 1, third_party_copy_write: 1 } };
    const protocol = { hostname: `dav${n}.example.org`, port: 443, prefix: '/moving/', domains };
    yield ['POST', `/rses/${rse}/protocols/davs`, { impl: 'rucio.rse.protocols.webdav.Default', ...protocol }];
    const second = { ...protocol, port: 1094, prefix: '//moving/', extended_attributes: { space_token: 'MV', n } };
    yield ['POST', `/rses/${rse}/protocols/root`, { impl: 'rucio.rse.protocols.xrootd.Default', ...second }];
    yield ['PUT', `/rses/${rse}/limits`, { name: 'MinFreeSpace', value: 1_000_000_000 * (n + 1) }];
    yield [
      'PUT',
      `/rses/${rse}/usage`,
      { source: 'storage', used: 5_000_000_000_000 + n, free: 9_007_199_254_740_993n },
    ];
  }
  for (const [n, rse] of rses.entries()) {
    for (const [m, other] of rses.entries()) {
      if (other !== rse && (n + m) % 3 !== 0)
        yield ['POST', `/rses/${rse}/distances/${other}`, { distance: n + m + 1 }];
    }
  }
  for (const account of ['mvalice', 'mvbob']) {
    for (const rse of disks) yield ['POST', `/accountlimits/local/${account}/${rse}`, { bytes: 4_000_000_000_000_000 }];
    yield [
      'POST',
      `/accountlimits/global/${account}/${encodeURIComponent('MV-DISK-0|MV-DISK-1')}`,
      { bytes: 10 ** 15 },
    ];
  }
  yield ['POST', '/accountlimits/local/root/MV-TAPE', { bytes: 10 ** 15 }];
  // Without a protocol, without a limit.
  yield ['POST', '/rses/MV-EMPTY', {}];
  yield ['POST', '/accountlimits/local/root/MV-EMPTY', { bytes: -1 }];
}

function* didSteps(): Generator<Step> {
  const files = stateFiles.map((name, n) => ({
    scope,
    name,
    bytes: 10 + n,
    adler32: '0cc737eb',
    md5: 'd41d8cd98f00b204e9800998ecf8427e',
  }));
  yield ['POST', '/replicas', { rse: 'MV-DISK-0', files, ignore_availability: true }];
  yield ['POST', '/replicas', { rse: 'MV-TAPE', files: files.slice(0, 2), ignore_availability: true }];
  const pfns = [1, 2].map((n) => ({
    scope,
    name: `by-path.${n}`,
    bytes: 99 + n,
    adler32: '0cc737eb',
    pfn: `davs://dav5.example.org:443/moving/any/where/${n}.root`,
  }));
  yield ['POST', '/replicas', { rse: 'MV-NONDET', files: pfns, ignore_availability: true }];
  for (const name of ['odd.names', 'dated.dataset', ...ruleSets])
    yield ['POST', path(name), { type: 'DATASET', statuses: { monotonic: name === 'dated.dataset' } }];
  yield ['POST', path('a.container'), { type: 'CONTAINER' }];
  yield ['POST', path('an.outer.container'), { type: 'CONTAINER', lifetime: 315_360_000 }];
  yield ['POST', `${path('dated.dataset')}/dids`, { dids: stateFiles.map(did) }];
  for (const name of ruleSets) yield ['POST', `${path(name)}/dids`, { dids: stateFiles.slice(0, 1).map(did) }];
  yield ['POST', `${path('a.container')}/dids`, { dids: ['dated.dataset', 'rules.ok'].map(did) }];
  yield ['POST', `${path('an.outer.container')}/dids`, { dids: ['a.container'].map(did) }];
  // An archive with constituents.
  const archive = { ...did('archive.zip'), bytes: 1000, adler32: '0cc737eb' };
  yield ['POST', '/replicas', { rse: 'MV-DISK-1', files: [archive], ignore_availability: true }];
  const constituents = [1, 2, 3].map((n) => ({
    scope,
    name: `constituent.${n}`,
    bytes: n,
    adler32: '0cc737eb',
    type: 'FILE',
  }));
  yield ['POST', `${path('archive.zip')}/dids`, { dids: constituents }];
}

function* metadataSteps(): Generator<Step> {
  const meta = { project: 'mv18', run_number: 4711, datatype: 'RAW', campaign: 'odd' };
  yield ['POST', `${path('dated.dataset')}/meta`, { meta }];
  const free = {
    note: 'ünïcode "quoted" \\ text',
    count: 42,
    ratio: 0.1,
    flag: true,
    nested: { a: [1, 2, { b: null }] },
    list: ['x'],
  };
  yield ['POST', `${path('dated.dataset')}/meta`, { meta: free }];
  yield ['POST', `${path('states/file.1')}/meta`, { meta: { quality: 'good' } }];
  yield ['PUT', `${path('rules.suspended')}/status`, { open: false }];
}

function* ruleSteps(): Generator<Step> {
  const rule = (name: string, rse: string, more: object = {}) => {
    const body = {
      dids: [did(name)],
      account: 'mvalice',
      copies: 1,
      rse_expression: rse,
      grouping: 'DATASET',
      ...more,
    };
    return ['POST', '/rules', body] as const;
  };
  yield rule('rules.ok', 'MV-DISK-0', { lifetime: 315_360_000, comment: 'kept for ten years', purge_replicas: true });
  yield rule('rules.ok', 'MV-DISK-1', { account: 'mvbob', activity: 'User Subscriptions', notify: 'Y' });
  yield rule('rules.inject', 'MV-DISK-2');
  yield rule('rules.stuck', 'MV-DISK-2');
  yield rule('rules.suspended', 'MV-DISK-0', { locked: true, priority: 5 });
  yield rule('rules.waiting', 'MV-DISK-3', { ask_approval: true });
  yield rule('rules.replicating', 'MV-DISK-1|MV-DISK-3', {
    copies: 2,
    grouping: 'NONE',
    weight: null,
    meta: '{"task": 1}',
  });
}

function* otherSteps(): Generator<Step> {
  for (const [n, state] of ['active', 'second'].entries()) {
    const options = {
      filter: { scope: ['mv.odd'], project: [`none-${n}`], pattern: 'never.*', split_rule: false },
      replication_rules: [{ copies: 1, rse_expression: `tier=${n}`, activity: 'User Subscriptions', lifetime: 86_400 }],
      comments: `an ${state} subscription`,
      lifetime: n === 0 ? 4000 : false,
      retroactive: false,
      dry_run: false,
      priority: n + 2,
    };
    yield ['POST', `/subscriptions/mvalice/moving-${state}`, { options }];
  }
  yield [
    'POST',
    '/config',
    { 'moving-section': { plain: 'text', number: '17', list: 'a, b', odd: 'ünï "x" = %(y)s' } },
  ];
  yield ['POST', '/meta_conventions/moving_key', { value_type: null, value_regexp: null, key_type: 'DATASET' }];
}

/** An RSE whose files are in a folder of this machine, so that the client of Rucio can upload and download. */
function* folderSteps(folder: string): Generator<Step> {
  const domain = { read: 1, write: 1, delete: 1 };
  const domains = { lan: domain, wan: { ...domain, third_party_copy_read: 1, third_party_copy_write: 1 } };
  const address = { hostname: 'localhost', port: 0, prefix: `${folder.replace(/\/+$/, '')}/` };
  yield ['POST', '/rses/MV-FOLDER', { deterministic: true, rse_type: 'DISK' }];
  yield ['POST', '/rses/MV-FOLDER/protocols/file', { impl: 'rucio.rse.protocols.posix.Default', ...address, domains }];
  yield ['POST', '/accountlimits/local/root/MV-FOLDER', { bytes: 10 ** 12 }];
  yield ['POST', '/accountlimits/local/mvalice/MV-FOLDER', { bytes: 10 ** 12 }];
}

/**
 * The requests that create everything of the seed that the interface can set, in their order.
 *
 * @param folder Of the RSE MV-FOLDER; absent: there is none.
 */
export function* seedSteps(folder?: string): Generator<Step> {
  yield* accountSteps();
  yield* rseSteps();
  yield* didSteps();
  yield* metadataSteps();
  yield* ruleSteps();
  yield* otherSteps();
  if (folder !== undefined) yield* folderSteps(folder);
}

/** Whether a refusal says that the request was carried out before. */
const isDoneAlready = (text: string) => /Duplicate|Exist|already|is closed|is LOST|cannot be changed/.test(text);

/**
 * Sends all requests of the seed to a server; what exists already is left as it is.
 *
 * @returns How many requests were sent, and what the server refused.
 */
export async function seedCatalogue(
  session: Session,
  folder?: string,
): Promise<{ readonly sent: number; readonly refused: readonly string[] }> {
  const refused: string[] = [];
  let sent = 0;
  for (const [method, at, body] of seedSteps(folder)) {
    const { status, text } = await session.call(method, at, body);
    sent += 1;
    if (status >= 300 && !isDoneAlready(text)) refused.push(`${method} ${at}: ${status} ${text.slice(0, 200)}`);
  }
  return { sent, refused };
}
