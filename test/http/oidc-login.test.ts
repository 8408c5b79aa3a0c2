/** Log-ins at a real OpenID provider (spec/access.md 1.7), from the client's side and from the browser's. */
import { describe, expect, it, vi } from 'vitest';

import { logInAtProvider, openPage, startOpenIdProvider } from '../support/openid-provider.ts';
import { call, expectError, uniqueName } from '../support/server.ts';
import {
  ask,
  begin,
  codeAddress,
  codeOf,
  configure,
  fetchToken,
  newPerson,
  theProvider,
  useProvider,
  type Wishes,
  whoami,
} from './oidc-setup.ts';

const notFinal = 'Cannot finalize your token request, no authorization content returned from the auth server';

useProvider();

const queryOf = (url: string) => new URL(url).search.slice(1);

describe('a log-in with a code (access 1.7)', () => {
  it('gives a token for the account after the user has logged in at the provider', async () => {
    const person = await newPerson();
    const url = await begin(person);
    const final = await logInAtProvider(url, person.sub);
    const page = await openPage(final);
    const text = await page.text();
    expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('Referrer-Policy')).toBe('no-referrer');
    const fetched = await fetchToken(codeOf(text));
    expect([fetched.status, fetched.text, fetched.headers.get('Content-Type')]).toEqual([
      200,
      '',
      'application/octet-stream',
    ]);
    const token = fetched.headers.get('X-Rucio-Auth-Token') ?? '';
    expect(await whoami(token)).toBe(person.account);
    const { text: content } = await call('GET', '/auth/validate', { token });
    expect(content).toContain(`'identity': 'SUB=${person.sub}, ISS=${theProvider().issuer}'`);
  });

  it('without an account takes the default one of the identity, else the oldest', async () => {
    const person = await newPerson();
    for (const others of [{}, { 'X-Rucio-Account': 'webui' }]) {
      const page = await openPage(await logInAtProvider(await begin({ others }), person.sub));
      const fetched = await fetchToken(codeOf(await page.text()));
      expect(await whoami(fetched.headers.get('X-Rucio-Auth-Token') ?? '')).toBe(person.account);
    }
  });

  it('takes a code once, and not a ticket', async () => {
    const person = await newPerson();
    const url = await begin(person);
    const page = await openPage(await logInAtProvider(url, person.sub));
    const code = codeOf(await page.text());
    expectError(await fetchToken(queryOf(url)), 401, 'CannotAuthenticate', notFinal);
    expect((await fetchToken(code)).status).toBe(200);
    expectError(await fetchToken(code), 401, 'CannotAuthenticate', notFinal);
  });

  it('gives one of many concurrent fetches a token', async () => {
    const person = await newPerson();
    const page = await openPage(await logInAtProvider(await begin(person), person.sub));
    const code = codeOf(await page.text());
    const answers = await Promise.all(Array.from({ length: 5 }, () => fetchToken(code)));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '401', '401', '401', '401']);
  });

  it('sends PKCE, state and nonce, and takes each answer of the provider once', async () => {
    const person = await newPerson();
    const url = await begin(person);
    const { searchParams } = new URL((await openPage(url)).headers.get('Location') ?? '');
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'dapple',
      response_type: 'code',
      redirect_uri: await codeAddress(),
      scope: 'openid profile',
      audience: 'rucio',
      state: expect.stringMatching(/^[0-9a-f]{50}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const final = await logInAtProvider(url, person.sub);
    expect((await openPage(final)).status).toBe(200);
    const before = theProvider().requests.length;
    const again = await openPage(final);
    expect([again.status, again.headers.get('ExceptionClass')]).toEqual([401, 'CannotAuthenticate']);
    expect((await openPage(url)).status).toBe(401);
    expect(theProvider().requests.length).toBe(before);
  });
});

describe('a log-in with polling (access 1.7)', () => {
  it('answers 401 until the user has logged in, then the token, once', async () => {
    const person = await newPerson();
    const url = await begin({ ...person, polling: true });
    expect(url).toMatch(/_polling$/);
    expectError(await fetchToken(queryOf(url)), 401, 'CannotAuthenticate', notFinal);
    const page = await openPage(await logInAtProvider(url, person.sub));
    const text = await page.text();
    expect([page.status, codeOf(text)]).toEqual([200, '']);
    expect(text).toContain(person.account);
    const fetched = await fetchToken(queryOf(url));
    expect(await whoami(fetched.headers.get('X-Rucio-Auth-Token') ?? '')).toBe(person.account);
    expectError(await fetchToken(queryOf(url)), 401, 'CannotAuthenticate', notFinal);
  });
});

describe('a refusal (access 1.7)', () => {
  it.each([
    ['an account that does not exist', { account: 'nobody-here' }],
    ['what is no account', { account: 'No Account#' }],
    ['too few scopes', { scope: 'openid' }],
    ['another audience', { others: { 'X-Rucio-Client-Authorize-Audience': 'other' } }],
    ['an unknown provider', { others: { 'X-Rucio-Client-Authorize-Issuer': 'elsewhere' } }],
    ['a lifetime that is no number', { others: { 'X-Rucio-Client-Authorize-Refresh-Lifetime': 'soon' } }],
    ['a scope of 600 characters', { scope: `openid profile ${'x'.repeat(600)}` }],
    ['another VO', { others: { 'X-Rucio-VO': 'atl' } }],
  ] as [string, Wishes][])('meets %s', async (_what, wishes) => {
    expectError(await ask(wishes), 401, 'CannotAuthenticate', /^Cannot get authentication URL .* for account /);
  });

  it('meets everybody where no provider is configured', async () => {
    vi.stubEnv('OIDC_CLIENTS_FILE', '');
    expectError(await ask({}), 401, 'CannotAuthenticate');
    await configure({ local: theProvider().registration });
  });

  it('meets a user who may not act for the account, or for any', async () => {
    const [alice, bob] = [await newPerson(), await newPerson()];
    for (const [wishes, sub] of [
      [{ account: alice.account }, bob.sub],
      [{}, uniqueName('stranger')],
    ] as const) {
      const page = await openPage(await logInAtProvider(await begin(wishes), sub));
      expect([page.status, page.headers.get('Content-Type')]).toEqual([401, 'text/html; charset=utf-8']);
      expect(page.headers.get('ExceptionMessage')).toBe(notFinal);
    }
  });

  it('meets texts that are not ours, for another purpose, too old, or altered', async () => {
    const person = await newPerson();
    const url = await begin(person);
    const ticket = queryOf(url);
    const state = new URL((await openPage(url)).headers.get('Location') ?? '').searchParams.get('state') ?? '';
    const altered = ticket.slice(0, -1) + (ticket.endsWith('0') ? '1' : '0');
    for (const text of ['', 'x', altered, state, `${ticket}_polling`, '%00', 'é'.repeat(25), ticket.toUpperCase()]) {
      expectError(await call('GET', `/auth/oidc_redirect?${text}`), 401, 'CannotAuthenticate', notFinal);
      expectError(await fetchToken(text), 401, 'CannotAuthenticate', notFinal);
    }
    for (const query of ['', `state=${ticket}&code=x`, 'code=x', `state=${state.slice(1)}0&code=x`]) {
      expectError(await call('GET', `/auth/oidc_code?${query}`), 401, 'CannotAuthenticate', notFinal);
    }
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.advanceTimersByTime(301_000);
    expectError(await call('GET', `/auth/oidc_redirect?${ticket}`), 401, 'CannotAuthenticate', notFinal);
  });

  it('of the provider, a forged code and the state of another log-in end the log-in', async () => {
    const [alice, bob] = [await newPerson(), await newPerson()];
    const final = new URL(await logInAtProvider(await begin(alice), alice.sub));
    const other = new URL(await logInAtProvider(await begin(bob), bob.sub));
    const stateOf = ({ searchParams }: URL) => searchParams.get('state') ?? '';
    const third = new URL(await logInAtProvider(await begin(bob), bob.sub));
    for (const query of [
      `state=${stateOf(third)}&error=access_denied&iss=${theProvider().issuer}`,
      `state=${stateOf(other)}&code=${final.searchParams.get('code')}&iss=${theProvider().issuer}`,
    ]) {
      expectError(await call('GET', `/auth/oidc_code?${query}`), 401, 'CannotAuthenticate', notFinal);
      expectError(await call('GET', `/auth/oidc_code?${query}`), 401, 'CannotAuthenticate', notFinal);
    }
  });
});

describe('the addresses (access 1.7)', () => {
  it('are registered ones, whatever the headers say, and lie below a path prefix', async () => {
    const uris = ['https://data.example.org/prod/auth/oidc_code', 'https://other.example.org/x/auth/oidc_code'];
    await configure({ local: { ...theProvider().registration, redirect_uris: uris } });
    const forged = {
      Forwarded: 'host=evil.example;proto=http',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'http',
    };
    const answer = await ask({ others: forged });
    expect(answer.headers.get('X-Rucio-OIDC-Auth-URL')).toMatch(
      /^https:\/\/data\.example\.org\/prod\/auth\/oidc_redirect\?[0-9a-f]{50}$/,
    );
    await configure({ local: theProvider().registration });
  });

  it.each([
    ['http elsewhere', { redirect_uris: ['http://data.example.org/auth/oidc_code'] }],
    ['another path', { redirect_uris: ['https://data.example.org/auth/other'] }],
    ['no address', { redirect_uris: [] }],
    ['an issuer without TLS', { issuer: 'http://iam.example.org' }],
    ['no secret', { client_secret: '' }],
  ])('are not taken from a registration with %s; the answer shows nothing of it', async (_what, change) => {
    await configure({ local: { ...theProvider().registration, ...change } });
    const answer = await ask({});
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('example.org');
    await configure({ local: theProvider().registration });
  });
});

describe('a provider that is down (access 1.7)', () => {
  it('is a 503 in the browser, and is not asked again for a while', async () => {
    const down = await startOpenIdProvider([await codeAddress()]);
    await configure({ down: down.registration });
    const url = await begin({});
    down.fail(true);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const page = await openPage(url);
      expect([page.status, page.headers.get('ExceptionClass')]).toEqual([503, 'ResourceTemporaryUnavailable']);
      expect(page.headers.get('Retry-After')).toBe('5');
    }
    expect(down.requests).toEqual(['GET /.well-known/openid-configuration']);
    await down.close();
    await configure({ local: theProvider().registration });
  });
});
