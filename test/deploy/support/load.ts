/** The load of a rehearsal: clients that attach new files to datasets, up to fifty at once. */

/** A request of the load: files that are attached to a dataset together. */
export interface Attachment {
  readonly dataset: string;
  readonly names: readonly string[];
  isAnswered: boolean;
}

/** Root at a server. */
export interface Session {
  post(path: string, body?: object): Promise<void>;
  /** The files of a dataset, and its counters. */
  contentOf(dataset: string): Promise<{ names: ReadonlySet<string>; length: number; bytes: number }>;
}

const [scope, rse] = ['rehearsal', 'REHEARSAL'];
const datasets = ['a', 'b', 'c'];
const maxFiles = 50;

/** Logs in as the first account. */
export async function openSession({
  url,
  username,
  password,
}: {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}): Promise<Session> {
  const request = async (method: string, path: string, headers: Readonly<Record<string, string>>, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return { text, headers: response.headers };
  };
  const login = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': username, 'X-Rucio-Password': password };
  const token = (await request('GET', '/auth/userpass', login)).headers.get('X-Rucio-Auth-Token') ?? '';
  const headers = { 'X-Rucio-Auth-Token': token, 'Content-Type': 'application/json' };
  return {
    post: async (path, body) => void (await request('POST', path, headers, body)),
    contentOf: async (dataset) => {
      const lines = (await request('GET', `/dids/${scope}/${dataset}/dids`, headers)).text.split('\n').filter(Boolean);
      const did = JSON.parse((await request('GET', `/dids/${scope}/${dataset}?dynamic=false`, headers)).text) as {
        length: number;
        bytes: number;
      };
      return { names: new Set(lines.map((line) => (JSON.parse(line) as { name: string }).name)), ...did };
    },
  };
}

/** Creates scope, RSE and datasets of the clients. */
export async function prepareLoad(session: Session): Promise<void> {
  await session.post(`/accounts/root/scopes/${scope}`);
  await session.post(`/rses/${rse}`, {});
  for (const name of datasets) await session.post(`/dids/${scope}/${name}`, { type: 'DATASET' });
}

/** Attaches files, one request after the other, until stopped. */
export async function runClient(
  session: Session,
  {
    name,
    attachments,
    signal,
  }: { readonly name: string; readonly attachments: Attachment[]; readonly signal: AbortSignal },
): Promise<void> {
  for (let request = 0; !signal.aborted; request += 1) {
    // Mostly bulk requests; some take a single transaction.
    const size = request % 4 === 3 ? 1 : 12 + Math.floor(Math.random() * (maxFiles - 12));
    const names = Array.from({ length: size }, (_value, index) => `${name}.${request}.${index}`);
    const attachment = { dataset: datasets[request % datasets.length] ?? 'a', names, isAnswered: false };
    attachments.push(attachment);
    const dids = names.map((file) => ({ scope, name: file, bytes: 1, adler32: '0cc737eb' }));
    await session.post(`/dids/${scope}/${attachment.dataset}/dids`, { dids, rse });
    attachment.isAnswered = true;
  }
}
