/**
 * Tokens, passwords, signatures, cursors and credentials never reach the log, whatever the outcome of a request. A separate server
 * gets requests with secrets while its engine works, refuses and is down, and its whole output is searched.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { accessLogFormat } from '../../infra/access-log.ts';
import { hangUp, type ChooseFault, type ServedEngine, serveFaultyEngine } from '../support/faulty-engine.ts';
import { logInAtProvider, openPage, startOpenIdProvider } from '../support/openid-provider.ts';
import { ownEngine } from '../support/run.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { uniqueName } from '../support/server.ts';

const refusing: ChooseFault = () => ({
  kind: 'answer',
  status: 400,
  body: { __type: 'com.amazonaws.dynamodb.v20120810#ValidationException', message: 'refused by the test' },
});

let engine: ServedEngine;
let server: ServerProcess;
let token: string;
let folder: string;
const secrets = new Set<string>();

/** A text that must not be logged. */
function secret(kind: string): string {
  const text = `${kind}-${uniqueName('secret')}`;
  secrets.add(text);
  return text;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function send(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Response> {
  const answer = await fetch(server.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  await answer.arrayBuffer();
  return answer;
}

const asRoot = () => ({ 'X-Rucio-Auth-Token': token });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dapple-log-secrets-'));
  engine = await serveFaultyEngine(await ownEngine());
  const rootPassword = secret('root-password');
  server = await startServerProcess([], {
    LOG_LEVEL: 'DEBUG',
    DYNAMODB_ENDPOINT: engine.endpoint,
    TABLE_NAME: uniqueName('Logs'),
    ROOT_PASSWORD: rootPassword,
    OIDC_ISSUERS: 'https://iam.invalid/',
    OIDC_CLIENTS_FILE: join(folder, 'clients.json'),
  });
  const login = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': rootPassword };
  token = (await send('/auth/userpass', { headers: login })).headers.get('X-Rucio-Auth-Token') ?? '';
  for (const part of token.split('.')) secrets.add(part);
  for (const account of ['one', 'two']) {
    const body = JSON.stringify({ type: 'USER', email: '' });
    await send(`/accounts/${account}`, { method: 'POST', headers: asRoot(), body });
  }
});

afterAll(async () => {
  await server?.stop();
  await engine?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Requests with secrets in every place that may hold them. */
async function sendSecrets(): Promise<Response[]> {
  const account = uniqueName('log');
  const cursorPage = await send('/accounts?limit=1', { headers: asRoot() });
  const cursor = /cursor=([^&>]+)/.exec(cursorPage.headers.get('Link') ?? '')?.[1];
  if (cursor !== undefined) secrets.add(cursor);
  const identity = { identity: account, authtype: 'USERPASS', email: '', password: secret('body-password') };
  const jwt = (claims: object) =>
    ['{"alg":"RS256","kid":"x"}', JSON.stringify(claims), secret('signature')]
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.');
  const foreign = jwt({ iss: 'https://iam.invalid/', aud: 'rucio', sub: secret('subject'), exp: 9_999_999_999 });
  const forged = jwt({ sub: 'root', aud: 'rucio', exp: 9_999_999_999 });
  for (const part of [...foreign.split('.').slice(1), ...forged.split('.').slice(2)]) secrets.add(part);
  const login = (more: Record<string, string>) => ({
    headers: { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', ...more },
  });
  const write = (method: string, body: string) => ({ method, headers: asRoot(), body });
  const signature = Buffer.from(secret('ssh')).toString('base64');
  secrets.add(signature);
  const s3 = { access_key: secret('s3-key'), secret_key: secret('s3-secret') };
  const protocol = { hostname: 'h', port: 1, impl: 'x.y', prefix: '/x', extended_attributes: s3 };
  return Promise.all([
    send('/auth/userpass', login({ 'X-Rucio-Password': secret('wrong-password') })),
    send('/auth/userpass', login({ 'X-Rucio-Password': secret('password'), 'X-Rucio-Account': 'nobody' })),
    send('/auth/userpass', login({ 'X-Rucio-Password': secret('password'), 'X-Rucio-VO': secret('vo') })),
    send(`/auth/userpass?password=${secret('query')}`, login({ Cookie: secret('cookie') })),
    send('/auth/ssh', login({ 'X-Rucio-SSH-Signature': signature })),
    send('/auth/x509', login({ 'X-SSL-Client-Cert': secret('certificate') })),
    send('/auth/gss', login({ Authorization: `Negotiate ${secret('ticket')}` })),
    send(`/auth/oidc_code?code=${secret('oidc-code')}&state=${secret('oidc-state')}`),
    send('/auth/validate', { headers: { 'X-Rucio-Auth-Token': secret('token') } }),
    send('/scopes', { headers: { 'X-Rucio-Auth-Token': secret('token') } }),
    send('/scopes', { headers: { 'X-Rucio-Auth-Token': forged } }),
    send('/scopes', { headers: { Authorization: `Bearer ${foreign}` } }),
    send(`/accounts?limit=1&cursor=${cursor}`, { headers: asRoot() }),
    send(`/accounts?limit=1&cursor=${secret('cursor')}`, { headers: asRoot() }),
    send('/accounts/root/identities', write('POST', JSON.stringify(identity))),
    send('/accounts/root/identities', write('POST', `{"password":"${secret('broken-json')}",`)),
    send('/accounts/root/identities', write('POST', `"${secret('no-object')}"`)),
    send('/accounts/root/identities', write('POST', JSON.stringify({ ...identity, authtype: 5 }))),
    send('/identities/root/userpass', {
      method: 'PUT',
      headers: {
        ...asRoot(),
        'X-Rucio-Username': uniqueName('user'),
        'X-Rucio-Password': secret('put-password'),
        'X-Rucio-Email': 'a@example.org',
      },
    }),
    send('/rses/NONE/protocols/s3', write('POST', JSON.stringify(protocol))),
    send('/config', write('POST', JSON.stringify({ mail: { password: secret('config') } }))),
    send(`/config/mail/password/${secret('config-path')}`, { method: 'PUT', headers: asRoot() }),
    send(`/config/mail/password/${secret('config-path')}`, { method: 'POST', headers: asRoot() }),
    send('/nowhere', write('PATCH', secret('nowhere'))),
  ]);
}

describe('the log', () => {
  it.each([
    ['the engine is sound', () => undefined],
    ['the engine refuses everything', refusing],
    ['the engine is gone', () => hangUp],
  ])('holds no secret when %s', async (what, choose: ChooseFault) => {
    const before = server.said.length;
    engine.injectFaults(choose);
    const answers = await sendSecrets();
    engine.injectFaults(() => undefined);
    const statuses = answers.map(({ status }) => status);
    // The requests have done what they were sent for: some succeed where they can, some fail for good where not.
    expect(statuses.some((status) => (what === 'the engine is sound' ? status === 201 : status >= 500))).toBe(true);
    await expect.poll(() => server.said.length - before).toBeGreaterThanOrEqual(answers.length - 2);
    const said = server.said.join('\n');
    expect([...secrets].filter((text) => said.includes(text))).toEqual([]);
  });

  it('holds no ticket, state, code or token of a log-in at an OpenID provider, granted or refused', async () => {
    const provider = await startOpenIdProvider([`${server.url}/auth/oidc_code`]);
    secrets.add(String(provider.registration['client_secret']));
    await writeFile(join(folder, 'clients.json'), JSON.stringify({ local: provider.registration }));
    const identity = { identity: `SUB=one, ISS=${provider.issuer}`, authtype: 'OIDC', email: 'x@example.org' };
    await send('/accounts/one/identities', { method: 'POST', headers: asRoot(), body: JSON.stringify(identity) });
    const granted: number[] = [];
    for (const [account, user] of [
      ['one', 'one'],
      ['one', 'stranger'],
    ] as const) {
      const offline = { 'X-Rucio-Client-Authorize-Scope': 'openid profile offline_access' };
      const begun = await send('/auth/oidc', { headers: { 'X-Rucio-Account': account, ...offline } });
      const url = begun.headers.get('X-Rucio-OIDC-Auth-URL') ?? '';
      secrets.add(new URL(url).search.slice(1));
      const final = await logInAtProvider(url, user);
      for (const name of ['code', 'state']) secrets.add(new URL(final).searchParams.get(name) ?? 'none');
      const page = await openPage(final);
      const code = /<pre>(\w+)<\/pre>/.exec(await page.text())?.[1] ?? 'no code';
      secrets.add(code);
      const fetched = await send(`/auth/oidc_redirect?${code}`, { headers: { 'X-Rucio-Client-Fetch-Token': 'True' } });
      const issued = fetched.headers.get('X-Rucio-Auth-Token') ?? '';
      for (const part of issued.split('.').slice(1)) secrets.add(part);
      granted.push(page.status, fetched.status);
      await send('/auth/oidc_refresh', { headers: { 'X-Rucio-Account': account, 'X-Rucio-Auth-Token': issued } });
    }
    await provider.close();
    expect(granted).toEqual([200, 200, 401, 401]);
    await expect.poll(() => server.said.filter((line) => line.includes('refreshOidcToken')).length).toBe(2);
    const said = server.said.join('\n');
    expect([...secrets].filter((text) => said.includes(text))).toEqual([]);
  });

  it('names caller and route of each request and the cause of a failure, without the members of foreign errors', () => {
    const records = server.said.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as object);
    expect(records).toContainEqual(
      expect.objectContaining({ level: 'INFO', message: 'request', operation: 'setConfigOption', account: 'root' }),
    );
    expect(records).toContainEqual(expect.objectContaining({ path: '/config/mail/password/...' }));
    const failures = records.filter((record) => (record as { message: string }).message === 'request failed');
    expect(JSON.stringify(failures)).toContain('refused by the test');
    for (const failure of failures as { error: object }[]) {
      expect(['name', 'message', 'stack', 'cause']).toEqual(expect.arrayContaining(Object.keys(failure.error)));
    }
  });
});

describe('the access log of the gateway', () => {
  it('has no field that callers control', () => {
    const wanted = Object.values(JSON.parse(accessLogFormat.toString()) as Record<string, string>);
    const written = /querystring|queryString|header|body|\$context\.path|authorizer|input/i;
    expect(
      wanted.filter((variable) => written.test(variable) && variable !== '$context.integration.timeToAllHeaders'),
    ).toEqual([]);
  });
});
