import { expect } from 'vitest';

import { type ServerProcess, startServerProcess } from '../support/server-process.ts';

/** A server with a policy, and requests of its first account. */
export interface PolicyServer {
  readonly process: ServerProcess;
  /** The headers of a request of the first account. */
  readonly headers: Readonly<Record<string, string>>;
  readonly ask: (method: string, path: string, body?: unknown) => Promise<Asked>;
  /** Sends a request that must be answered with a status of success. */
  readonly must: (method: string, path: string, body?: unknown) => Promise<Asked>;
}

/** An answer. */
export interface Asked {
  readonly status: number;
  readonly text: string;
  /** The class and the message of an error. */
  readonly error: string;
  readonly lines: readonly unknown[];
}

/**
 * Starts a server in a process of its own.
 *
 * @param policy Its name, or the path of its file.
 * @param password Of the first account.
 */
export async function startWithPolicy(
  policy: string,
  args: readonly string[] = ['--in-memory'],
  password = 'secret',
): Promise<PolicyServer> {
  const process = await startServerProcess(['--policy', policy, '--no-browser', '--threads', '0', ...args]);
  const login = await fetch(`${process.url}/auth/userpass`, {
    headers: { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': password },
  });
  const token = login.headers.get('X-Rucio-Auth-Token') ?? '';
  const headers = { 'X-Rucio-Auth-Token': token };
  const ask = async (method: string, path: string, body?: unknown): Promise<Asked> => {
    const response = await fetch(process.url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const error = response.ok ? '' : describeError(text);
    return {
      status: response.status,
      text,
      error,
      get lines() {
        return text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as unknown);
      },
    };
  };
  const must = async (method: string, path: string, body?: unknown) => {
    const answer = await ask(method, path, body);
    expect(`${answer.status} ${answer.error}`.trim(), `${method} ${path}`).toMatch(/^20\d$/);
    return answer;
  };
  return { process, headers, ask, must };
}

/** The header has the beginning of a long message; the body has all of it. */
function describeError(body: string): string {
  const { ExceptionClass, ExceptionMessage } = JSON.parse(body) as Record<string, string>;
  return `${ExceptionClass}: ${ExceptionMessage}`;
}

/** A name as a segment of a path. */
export const segment = (name: string) => encodeURIComponent(name);

/** Creates an RSE that has a protocol, and sets its attributes. */
export async function addDisk(
  server: PolicyServer,
  rse: string,
  settings: {
    readonly properties?: object;
    readonly attributes?: Readonly<Record<string, string>>;
    readonly prefix?: string;
  } = {},
): Promise<void> {
  await server.must('POST', `/rses/${rse}`, settings.properties ?? {});
  const all = { read: 1, write: 1, delete: 1 };
  await server.must('POST', `/rses/${rse}/protocols/file`, {
    hostname: 'localhost',
    port: 0,
    prefix: settings.prefix ?? `/tmp/${rse}/`,
    impl: 'rucio.rse.protocols.posix.Default',
    domains: { lan: all, wan: { ...all, third_party_copy_read: 1, third_party_copy_write: 1 } },
  });
  for (const [key, value] of Object.entries(settings.attributes ?? {}))
    await server.must('POST', `/rses/${rse}/attr/${key}`, { value });
}
