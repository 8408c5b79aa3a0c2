import { type LocalServer, startServer } from '../../../local/server.ts';

/** The log-in of the servers of these tests. */
const login = { account: 'root', username: 'ddmlab', password: 'secret' } as const;

/** Starts an empty catalogue with the page, as `npm start -- --in-memory` does. */
export function startCatalogue(port = 0): Promise<LocalServer> {
  return startServer({ port, inMemory: true, login, root: { username: login.username, password: login.password } });
}

/** Calls the interface of a server as root. */
export type Call = (method: string, path: string, body?: unknown) => Promise<Response>;

/** Logs in at a server as root, with the user of these servers unless another is given. */
export async function logInAt(
  { url }: Pick<LocalServer, 'url'>,
  { username, password }: { readonly username: string; readonly password: string } = login,
): Promise<Call> {
  const headers = {
    'X-Rucio-Account': login.account,
    'X-Rucio-Username': username,
    'X-Rucio-Password': password,
  };
  const token = (await fetch(`${url}/auth/userpass`, { headers })).headers.get('X-Rucio-Auth-Token') ?? '';
  return async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'X-Rucio-Auth-Token': token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
}

/** The id of the first rule in a state. */
export async function findRule(call: Call, state: 'STUCK' | 'REPLICATING'): Promise<string> {
  const text = await (await call('GET', `/rules/?state=${state}&limit=1`)).text();
  return (JSON.parse(text) as { id: string }).id;
}

/** Texts that would do harm as markup, or that are hard to show. */
export const hostileTexts = {
  markup: '<img src=x onerror="document.title=1"><script>document.title=2</script>',
  quotes: `it's "quoted" & <b>bold</b> \\ \`back\``,
  direction: '\u202etxt.exe\u202c شلون',
  emoji: '🧪🔬👩‍🔬 data',
  long: 'x'.repeat(1_000),
} as const;

/** A DID with a name of 250 characters and slashes, whose metadata are hostile texts. */
export const hostileDid = {
  scope: 'hostile',
  name: `a/b/c.d/...${'/very-long-part'.repeat(17)}`.slice(0, 249),
} as const;

/** Adds what the example data lack: hostile texts, a subscription, options, an account, failed and past transfers. */
export async function addMore(call: Call): Promise<void> {
  await call('POST', `/scopes/root/${hostileDid.scope}`);
  const did = `/dids/${hostileDid.scope}/${encodeURIComponent(hostileDid.name)}`;
  await call('POST', did, { type: 'DATASET', meta: hostileTexts });
  await addTransfers(call);
  await addDistances(call);
  await call('POST', '/heartbeats', { executable: 'mover', hostname: 'node7.example.org', pid: 7 });
  await call('POST', '/accounts/jdoe', { type: 'USER', email: 'jdoe@example.org' });
  await call('POST', '/config/', { throttler: { mode: hostileTexts.quotes } });
  await call('POST', '/subscriptions/root/second-copies', {
    options: {
      filter: { scope: ['example'], datatype: ['AOD'] },
      replication_rules: [{ rse_expression: 'tier=1', copies: 1, activity: 'User Subscriptions' }],
      comments: hostileTexts.markup,
      lifetime: null,
      retroactive: false,
      dry_run: true,
    },
  });
}

/** Report of a mover about a failed copy. */
export const copyError = `TRANSFER globus_ftp: ${hostileTexts.markup}`;

/** Distances in both directions between two RSEs, and one direction to the tape. */
async function addDistances(call: Call): Promise<void> {
  const ways = [
    ['CERN_DISK', 'LYON_DISK', 2],
    ['LYON_DISK', 'CERN_DISK', 3],
    ['CERN_DISK', 'LYON_TAPE', 7],
  ] as const;
  for (const [from, to, distance] of ways) await call('POST', `/rses/${from}/distances/${to}`, { distance });
}

/** A mover takes three transfers to tape: one fails, one is done, one stays taken. A replica in Lyon may be deleted. */
async function addTransfers(call: Call): Promise<void> {
  const wish = { holder: 'mover-7', dst_rse: 'LYON_TAPE', limit: 3 };
  const leased = (await (await call('POST', '/requests/lease', wish)).json()) as {
    scope: string;
    name: string;
    lease: string;
    adler32: string;
  }[];
  const reports = [{ state: 'FAILED', err_msg: copyError }, { state: 'DONE' }];
  const requests = leased.slice(0, reports.length).map(({ scope, name, lease, adler32 }, i) => {
    const { state, err_msg } = reports[i] ?? {};
    return { scope, name, lease, state, err_msg, adler32 };
  });
  await call('POST', '/requests/report', { rse: 'LYON_TAPE', requests });
  await call('PUT', '/requests/transfer_limits', { rse_expression: 'LYON_TAPE', max_transfers: 50 });
  const replica = { scope: 'example', name: 'data.358032.AOD/part-0001.root' };
  const file = { ...replica, bytes: 310 * 1_048_576, adler32: '015da400' };
  await call('POST', '/replicas', { rse: 'LYON_DISK', files: [file] });
  await call('POST', '/replicas/tombstone', { replicas: [{ ...replica, rse: 'LYON_DISK' }] });
}

/** Makes the user alice, with the password `wonderland` and a scope. */
export async function addAlice(call: Call): Promise<void> {
  await call('POST', '/accounts/alice', { type: 'USER', email: 'alice@example.org' });
  const identity = { identity: 'alice', authtype: 'USERPASS', email: 'alice@example.org', password: 'wonderland' };
  await call('POST', '/accounts/alice/identities', identity);
  await call('POST', '/scopes/alice/user.alice');
}
