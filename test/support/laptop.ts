/** A server as `npm start` makes it, with RSEs in folders, asked as root. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { type ServerProcess, startServerProcess } from './server-process.ts';

/** Asks the server as root. @throws Error if it refuses. */
export type Ask = (method: string, path: string, body?: object) => Promise<unknown>;

/** A running server. */
export interface Laptop {
  readonly server: ServerProcess;
  readonly ask: Ask;
}

/** Starts a server. Parameters as of {@link startServerProcess}. */
export async function startLaptop(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Laptop> {
  const server = await startServerProcess([...args, '--no-browser'], environment);
  return { server, ask: await logInAsRoot(server.url) };
}

/** Logs in at a server. @returns Sends a request as the account, whatever the answer. */
export async function logInAt(
  url: string,
  { account, username, password }: Readonly<Record<'account' | 'username' | 'password', string>>,
) {
  const login = { 'X-Rucio-Account': account, 'X-Rucio-Username': username, 'X-Rucio-Password': password };
  const token = (await fetch(`${url}/auth/userpass`, { headers: login })).headers.get('X-Rucio-Auth-Token') ?? '';
  return (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(url + path, {
      method,
      headers: { 'X-Rucio-Auth-Token': token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

/** Logs in as root at a server. */
export async function logInAsRoot(url: string): Promise<Ask> {
  const send = await logInAt(url, { account: 'root', username: 'ddmlab', password: 'secret' });
  return async (method, path, body) => {
    const answer = await send(method, path, body);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return /^[[{"]/.test(text) ? (JSON.parse(text) as unknown) : text;
  };
}

/** Makes an RSE in a folder, or at another place. */
export async function addStorage(ask: Ask, rse: string, prefix: string, address?: URL): Promise<void> {
  const operations = { read: 1, write: 1, delete: 1 };
  const [scheme, impl] =
    address === undefined ? ['file', 'posix.Default'] : [address.protocol.slice(0, -1), 'gfal.Default'];
  const protocol = {
    hostname: address?.hostname ?? 'localhost',
    port: Number(address?.port ?? 0),
    impl: `rucio.rse.protocols.${impl}`,
    prefix,
    domains: { lan: operations, wan: operations },
  };
  await ask('POST', `/rses/${rse}`, {});
  await ask('POST', `/rses/${rse}/protocols/${scheme}`, protocol);
  await ask('POST', `/accounts/root/limits/local/${rse}`, { bytes: -1 });
}

/** The path of a PFN in a folder. */
export const pathOf = (pfn: string) => pfn.replace('file://localhost', '');

/** The PFN of a file of the scope `data`. */
export async function pfnOf(ask: Ask, rse: string, name: string): Promise<string> {
  const lfns = (await ask('GET', `/rses/${rse}/lfns2pfns?lfn=data:${name}&operation=write`)) as Record<string, string>;
  return lfns[`data:${name}`] ?? '';
}

/** Registers a file on an RSE; its Adler-32 may be wrong. */
export async function register(ask: Ask, rse: string, name: string, facts: { bytes: number; adler32: string }) {
  await ask('POST', '/replicas', { rse, files: [{ scope: 'data', name, ...facts }] });
}

/** Registers a file on an RSE in a folder, and writes it there. */
export async function upload(ask: Ask, rse: string, name: string, content: string, adler32: string): Promise<void> {
  const path = pathOf(await pfnOf(ask, rse, name));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  await register(ask, rse, name, { bytes: content.length, adler32 });
}

/** Asks for a copy of a file; returns the rule. */
export async function want(ask: Ask, name: string, rse: string): Promise<string> {
  const body = { dids: [{ scope: 'data', name }], account: 'root', copies: 1, rse_expression: rse };
  const [rule = ''] = (await ask('POST', '/rules/', body)) as string[];
  return rule;
}

/** The state of a rule. */
export async function stateOf(ask: Ask, rule: string): Promise<string> {
  return ((await ask('GET', `/rules/${rule}`)) as { state: string }).state;
}
