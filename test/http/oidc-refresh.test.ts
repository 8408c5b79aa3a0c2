/** Tokens of log-ins at a real OpenID provider that are refreshed (spec/access.md 1.7). */
import { describe, expect, it, vi } from 'vitest';

import { logInAtProvider, openPage } from '../support/openid-provider.ts';
import { type Answer, asRoot, call, expectError } from '../support/server.ts';
import { begin, codeOf, fetchToken, logIn, newPerson, theProvider, useProvider, whoami } from './oidc-setup.ts';

useProvider();

const refresh = (account: string, token: string) =>
  call('GET', '/auth/oidc_refresh', { token, headers: { 'X-Rucio-Account': account } });

describe('/auth/oidc_refresh (access 1.7)', () => {
  const offline = 'openid profile offline_access';
  const outcome = ({ status, headers }: Answer) => [
    status,
    headers.get('X-Rucio-Auth-Token'),
    headers.get('X-Rucio-Auth-Token-Expires'),
  ];
  const passMinutes = (minutes: number) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.advanceTimersByTime(minutes * 60_000);
  };

  it('needs an account and a token', async () => {
    expectError(await call('GET', '/auth/oidc_refresh', { token: 'x' }), 401, 'CannotAuthorize');
    const headers = { 'X-Rucio-Account': 'root' };
    expectError(await call('GET', '/auth/oidc_refresh', { headers }), 401, 'CannotAuthorize');
  });

  it('has empty headers for what cannot be refreshed', async () => {
    const person = await newPerson();
    const token = await logIn(person);
    const other = await logIn(person, offline);
    for (const answer of [
      await refresh(person.account, token),
      await refresh(person.account, 'unknown'),
      await refresh('root', other),
    ]) {
      expect(outcome(answer)).toEqual([200, '', '']);
    }
  });

  it('answers a young token with itself and its end, an older one with a new one, and so each time', async () => {
    const person = await newPerson();
    const first = await logIn(person, offline);
    const [, same, end] = outcome(await refresh(person.account, first));
    expect(same).toBe(first);
    expect(Math.abs(Number(end) - Date.now() / 1_000 - 3_600)).toBeLessThan(30);
    passMinutes(50);
    const [status, second] = outcome(await refresh(person.account, first));
    expect(status).toBe(200);
    expect(second).not.toBe(first);
    expect(await whoami(String(second))).toBe(person.account);
    expect((await refresh(person.account, first)).headers.get('X-Rucio-Auth-Token')).toBe(second);
    vi.advanceTimersByTime(50 * 60_000);
    const third = (await refresh(person.account, String(second))).headers.get('X-Rucio-Auth-Token') ?? '';
    expect(await whoami(third)).toBe(person.account);
  });

  it('makes one of concurrent refreshes', async () => {
    const person = await newPerson();
    const token = await logIn(person, offline);
    passMinutes(50);
    const answers = await Promise.all(Array.from({ length: 4 }, () => refresh(person.account, token)));
    const tokens = new Set(answers.map(({ headers }) => headers.get('X-Rucio-Auth-Token')).filter(Boolean));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(tokens.size).toBe(1);
  });

  it('ends with the lifetime that the client asked for', async () => {
    const person = await newPerson();
    const hour = { 'X-Rucio-Client-Authorize-Refresh-Lifetime': '1' };
    const url = await begin({ account: person.account, scope: offline, others: hour });
    const page = await openPage(await logInAtProvider(url, person.sub));
    const fetched = await fetchToken(codeOf(await page.text()));
    const first = fetched.headers.get('X-Rucio-Auth-Token') ?? '';
    passMinutes(50);
    const second = (await refresh(person.account, first)).headers.get('X-Rucio-Auth-Token') ?? '';
    expect(await whoami(second)).toBe(person.account);
    vi.advanceTimersByTime(20 * 60_000);
    expect(outcome(await refresh(person.account, second))).toEqual([200, '', '']);
  });

  it('is refused once the identity may no longer act for the account', async () => {
    const person = await newPerson();
    const token = await logIn(person, offline);
    const identity = { identity: `SUB=${person.sub}, ISS=${theProvider().issuer}`, authtype: 'OIDC' };
    expect((await asRoot().delete(`/accounts/${person.account}/identities`, identity)).status).toBe(200);
    passMinutes(50);
    expectError(await refresh(person.account, token), 401, 'CannotAuthorize', 'Cannot authorize token request.');
    expect(outcome(await refresh(person.account, token))).toEqual([200, '', '']);
  });
});
