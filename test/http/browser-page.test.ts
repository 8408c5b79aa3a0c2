import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { handler } from '../../functions/browser.ts';
import { setPageSource } from '../../lib/operations/browser/page-files.ts';
import { gatewayEvent, lambdaContext } from '../support/event.ts';

interface Caller {
  readonly headers?: Readonly<Record<string, string>>;
  readonly sourceIp?: string;
  readonly domainName?: string;
  readonly stage?: string;
  readonly clientCert?: Readonly<Record<string, string>>;
}

/** Calls the function as a gateway that collects answers does. */
async function get(path: string, caller: Caller = {}) {
  const { headers = {}, sourceIp = '127.0.0.1', domainName = '', stage = '', clientCert } = caller;
  const event = gatewayEvent('GET', path, { headers });
  Object.assign(event.requestContext, { identity: { sourceIp, clientCert }, domainName, stage });
  const { statusCode, headers: answered, body } = await handler(event, lambdaContext());
  return { status: statusCode, headers: answered, text: typeof body === 'string' ? body : '' };
}

setPageSource('browser', () =>
  Promise.resolve({
    html: '<base href="{{base}}" />',
    files: { 'main-ABCDEFGH.js': { mediaType: 'text/javascript; charset=utf-8', text: 'run()' } },
  }),
);

beforeEach(() => {
  // No operation of the page reads the table.
  vi.stubEnv('TABLE_NAME', 'none');
  vi.stubEnv('LOCAL_LOGIN', '');
});

afterEach(() => vi.unstubAllEnvs());

describe('below the stage of a gateway', () => {
  const deployed = { domainName: 'abc.execute-api.eu-central-1.amazonaws.com', stage: 'prod' };

  it('the root leads to the page below the stage', async () => {
    expect((await get('/', deployed)).headers).toMatchObject({ Location: '/prod/ui/' });
    expect((await get('/', { domainName: 'rucio.example.org', stage: 'prod' })).headers).toMatchObject({
      Location: '/ui/',
    });
  });

  it('the page finds its files below the stage', async () => {
    expect((await get('/ui', deployed)).text).toBe('<base href="/prod/ui/" />');
    expect((await get('/ui', { domainName: 'rucio.example.org', stage: 'prod' })).text).toBe('<base href="/ui/" />');
  });

  it('a gateway that collects answers gets files as plain text', async () => {
    expect(await get('/ui/main-ABCDEFGH.js')).toMatchObject({ status: 200, text: 'run()' });
  });
});

describe('the password of the first account', () => {
  const login = { account: 'root', username: 'ddmlab', password: 'secret' };
  const own = { host: 'localhost:8080', 'sec-fetch-site': 'same-origin' };
  const ask = async (caller: Caller) => {
    vi.stubEnv('LOCAL_LOGIN', JSON.stringify(login));
    return (JSON.parse((await get('/ui/settings', caller)).text) as { login: unknown }).login;
  };

  it.each([
    ['by name', { headers: own }],
    ['by address', { headers: { ...own, host: '127.0.0.1:8080' } }],
    ['by IPv6', { headers: { ...own, host: '[::1]:8080' }, sourceIp: '::1' }],
    ['with its origin', { headers: { ...own, origin: 'http://localhost:8080' } }],
  ])('is for the page of a server on the same machine, called %s', async (_how, caller) => {
    expect(await ask(caller)).toEqual(login);
  });

  it.each<[string, Caller]>([
    ['a program that is no browser', { headers: { host: own.host } }],
    ['a page of another site', { headers: { ...own, 'sec-fetch-site': 'cross-site' } }],
    ['a page of another port of this machine', { headers: { ...own, 'sec-fetch-site': 'same-site' } }],
    ['an address typed by hand', { headers: { ...own, 'sec-fetch-site': 'none' } }],
    ['a foreign origin', { headers: { ...own, origin: 'http://localhost:3000' } }],
    ['a foreign name that resolves to this machine', { headers: { ...own, host: 'evil.example:8080' } }],
    ['a name that only begins like this machine', { headers: { ...own, host: 'localhost.evil.example' } }],
    ['a request without a host', { headers: { 'sec-fetch-site': 'same-origin' } }],
    ['another machine', { headers: own, sourceIp: '192.0.2.7' }],
    ['a proxy', { headers: { ...own, 'x-forwarded-host': 'catalogue.example.org' } }],
  ])('is not for %s', async (_who, caller) => {
    expect(await ask(caller)).toBeNull();
  });

  it('is known to no deployed function', async () => {
    expect(JSON.parse((await get('/ui/settings', { headers: own })).text)).toMatchObject({ login: null });
  });
});

describe('the settings of the page', () => {
  it('name the subject of the certificate that the gateway has verified, and of no header', async () => {
    const read = async (caller: Caller) =>
      (JSON.parse((await get('/ui/settings', caller)).text) as { certificate: unknown }).certificate;
    expect(await read({ clientCert: { subjectDN: '/CN=Jane', clientCertPem: '' } })).toBe('/CN=Jane');
    expect(await read({ headers: { 'SSL-CLIENT-S-DN': '/CN=Jane' } })).toBeNull();
  });

  it('name the patterns of names', async () => {
    expect(JSON.parse((await get('/ui/settings')).text)).toMatchObject({
      policy: { names: { rse: { pattern: '^([A-Z0-9]+([_-][A-Z0-9]+)*)$' }, DATASET: { longest: 250 } } },
    });
  });

  const local = JSON.stringify({ account: 'root', username: 'ddmlab', password: null });

  it('name the issuers whose tokens are accepted, without their audiences', async () => {
    vi.stubEnv('OIDC_ISSUERS', 'https://iam.example.org/ https://login.example.org/#dapple');
    expect(JSON.parse((await get('/ui/settings')).text)).toMatchObject({
      issuers: ['https://iam.example.org/', 'https://login.example.org/'],
    });
  });

  it('name the policy, and its activities', async () => {
    const activities = expect.arrayContaining(['User Subscriptions', 'Debug']);
    expect(JSON.parse((await get('/ui/settings')).text)).toMatchObject({ policy: { name: 'generic', activities } });
  });

  it.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['a local server without a registration', { LOCAL_LOGIN: local }, false],
    ['a local server with registrations', { LOCAL_LOGIN: local, OIDC_CLIENTS_FILE: 'x.json' }, true],
    ['a deployed function, which may not read them', {}, true],
  ])('offer a log-in at an OpenID provider: %s', async (_where, variables, oidc) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    expect(JSON.parse((await get('/ui/settings')).text)).toMatchObject({ oidc });
  });

  it('are never kept by a cache', async () => {
    expect((await get('/ui/settings')).headers).toMatchObject({ 'Cache-Control': 'no-store' });
  });
});
