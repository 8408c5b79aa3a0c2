/** Set-up of the tests of log-ins at a real OpenID provider (spec/access.md 1.7). */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';

import { logInAtProvider, type OpenIdProvider, openPage, startOpenIdProvider } from '../support/openid-provider.ts';
import { baseUrl } from '../support/run.ts';
import { type Answer, asRoot, call, newAccount, uniqueName } from '../support/server.ts';

let running: OpenIdProvider | undefined;
let folder: string;

/** Starts a provider for the tests of a file, and configures it. */
export function useProvider(): void {
  beforeAll(async () => {
    running = await startOpenIdProvider([await codeAddress()]);
    folder = await mkdtemp(join(tmpdir(), 'dapple-oidc-'));
    await configure({ local: running.registration });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await running?.close();
    await rm(folder, { recursive: true });
  });
}

/** The provider that runs. */
export function theProvider(): OpenIdProvider {
  if (running === undefined) throw new Error('no provider runs');
  return running;
}

/** The address to which a provider sends its codes. */
export const codeAddress = async () => `${await baseUrl()}/auth/oidc_code`;

/** Configures clients; a new file each time, since the old one is cached. */
export async function configure(clients: unknown): Promise<void> {
  const file = join(folder, `${randomUUID()}.json`);
  await writeFile(file, JSON.stringify(clients), { mode: 0o600 });
  vi.stubEnv('OIDC_CLIENTS_FILE', file);
}

/** A user of the provider. */
export interface Person {
  readonly account: string;
  /** The name at the provider. */
  readonly sub: string;
}

/** Lets a subject of the provider act for an account. */
async function mapIdentity(account: string, sub: string): Promise<void> {
  const identity = { identity: `SUB=${sub}, ISS=${theProvider().issuer}`, authtype: 'OIDC', email: 'x@example.org' };
  const { status, text } = await asRoot().post(`/accounts/${account}/identities`, identity);
  expect(`${status} ${text}`).toBe('201 Created');
}

/** A new account, for which a subject of the provider may act. */
export async function newPerson(): Promise<Person> {
  const [{ account }, sub] = [await newAccount(), uniqueName('sub')];
  await mapIdentity(account, sub);
  return { account, sub };
}

/** Request of a client. */
export interface Wishes {
  readonly account?: string;
  readonly polling?: boolean;
  readonly scope?: string;
  readonly others?: Readonly<Record<string, string>>;
}

/** The first step of a client. */
export const ask = ({ account, polling = false, scope = 'openid profile', others }: Wishes): Promise<Answer> =>
  call('GET', '/auth/oidc', {
    headers: {
      'X-Rucio-Client-Authorize-Polling': polling ? 'True' : 'False',
      'X-Rucio-Client-Authorize-Scope': scope,
      'X-Rucio-Client-Authorize-Refresh-Lifetime': 'None',
      ...(account === undefined ? {} : { 'X-Rucio-Account': account }),
      ...others,
    },
  });

/** The URL that the client shows to its user. */
export async function begin(wishes: Wishes): Promise<string> {
  const answer = await ask(wishes);
  expect(`${answer.status} ${answer.text}`).toBe('200 ');
  const url = answer.headers.get('X-Rucio-OIDC-Auth-URL') ?? '';
  expect(url).toMatch(/\/auth\/oidc_redirect\?[0-9a-f]{50}(_polling)?$/);
  return url;
}

/** Steps of the client with the URL while it polls, or with a code. */
export const fetchToken = (query: string): Promise<Answer> =>
  call('GET', `/auth/oidc_redirect?${query}`, { headers: { 'X-Rucio-Client-Fetch-Token': 'True' } });

/** The code on the page that a user sees at the end. */
export const codeOf = (page: string) => /<pre>([0-9a-f]{50})<\/pre>/.exec(page)?.[1] ?? '';

/** A whole log-in with a code. */
export async function logIn({ account, sub }: Person, scope?: string): Promise<string> {
  const url = await begin({ account, ...(scope === undefined ? {} : { scope }) });
  const page = await openPage(await logInAtProvider(url, sub));
  expect(page.status).toBe(200);
  return (await fetchToken(codeOf(await page.text()))).headers.get('X-Rucio-Auth-Token') ?? '';
}

/** The account of a token. */
export const whoami = async (token: string) =>
  /'account': '([^']+)'/.exec((await call('GET', '/auth/validate', { token })).text)?.[1];
