import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { bootstrapRoot } from '../../../lib/domain/accounts/bootstrap.ts';
import { identify } from '../../../lib/domain/auth/identify.ts';
import { env } from '../../../lib/env.ts';
import { validateToken } from '../../../lib/operations/auth/validate-token.ts';
import { changeAccount, insertAccount } from '../../../lib/store/entities/account.ts';
import { insertIdentity, insertMapping } from '../../../lib/store/entities/identity.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { uniqueName } from '../../support/server.ts';
import { newTestStore } from '../../support/store.ts';
import { newToken } from '../../support/tokens.ts';
import { type LocalIssuer, startIssuer } from './local-issuer.ts';

const refusal = { name: 'CannotAuthenticate', message: 'Cannot authenticate with given credentials' };

let store: Store;
let issuer: LocalIssuer;
beforeAll(async () => {
  [store, issuer] = await Promise.all([newTestStore(), startIssuer()]);
  await bootstrapRoot(store, { username: 'ddmlab', password: 'secret' });
  configure(issuer.url);
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await issuer.close();
});

const configure = (text: string) => {
  vi.stubEnv('OIDC_ISSUERS', text);
};

interface Mapped {
  readonly account: string;
  readonly isDefault?: boolean;
  readonly at?: number;
}

/** Maps a subject of the issuer to new accounts; returns the subject. */
async function newSubject(accounts: readonly Mapped[], iss = issuer.url): Promise<string> {
  const sub = uniqueName('sub');
  const key = { type: 'OIDC', identity: `SUB=${sub}, ISS=${iss}`, email: 'x@example.org' };
  const failure = () => new Error('exists already');
  await store.write(async () => [
    insertIdentity(key, 1, failure),
    ...accounts.flatMap(({ account, isDefault = false, at = 1 }) => [
      insertAccount(
        {
          account,
          type: 'USER',
          status: 'ACTIVE',
          email: null,
          attributes: {},
          createdAt: at,
          updatedAt: at,
          suspendedAt: null,
          deletedAt: null,
        },
        failure,
      ),
      ...insertMapping({ ...key, account, isDefault }, at, failure),
    ]),
  ]);
  return sub;
}

const setStatus = (account: string, status: string) =>
  store.write(async () => [changeAccount(account, { status }, () => new Error('no such account'))]);

const check = (token: string) => identify(store.begin(), token);

describe('configuration', () => {
  it('lists issuers, each with its audience, by default rucio', () => {
    configure(' https://a.example/  https://b.example/realms/x#dapple ');
    expect(env.oidcIssuers).toEqual([
      { issuer: 'https://a.example/', audience: 'rucio' },
      { issuer: 'https://b.example/realms/x', audience: 'dapple' },
    ]);
    configure('');
    expect(env.oidcIssuers).toEqual([]);
    configure(issuer.url);
  });
});

describe('a token of a configured OpenID issuer (access 1.5)', () => {
  it('authenticates the account of the identity SUB=..., ISS=... until it expires', async () => {
    const account = uniqueName();
    const sub = await newSubject([{ account }]);
    const exp = Math.floor(Date.now() / 1000) + 60;
    const content = await check(await issuer.issue({ sub, exp }));
    expect(content).toMatchObject({ account, identity: `SUB=${sub}, ISS=${issuer.url}`, expiresAt: exp * 1000 });
  });

  it('has its audience and scope in the answer of /auth/validate', async () => {
    const sub = await newSubject([{ account: uniqueName() }]);
    const token = await issuer.issue({ sub, aud: ['rucio', 'other'], scope: 'openid  profile email' });
    expect(await validateToken({ store: store.begin(), now: Date.now() }, token)).toContain(
      "'audience': 'rucio other', 'authz_scope': 'openid profile email', 'vo': 'def'}",
    );
  });

  it('selects the default one of several accounts, else the oldest', async () => {
    const [first, second, third] = [uniqueName('a'), uniqueName('b'), uniqueName('c')];
    const chosen = await newSubject([
      { account: first, at: 1 },
      { account: second, at: 2, isDefault: true },
    ]);
    expect((await check(await issuer.issue({ sub: chosen }))).account).toBe(second);
    const none = await newSubject([
      { account: `${third}1`, at: 30 },
      { account: `${third}2`, at: 10 },
      { account: `${third}3`, at: 20 },
    ]);
    expect((await check(await issuer.issue({ sub: none }))).account).toBe(`${third}2`);
  });

  it('can have lists of scopes and audiences', async () => {
    const sub = await newSubject([{ account: uniqueName() }]);
    const token = await issuer.issue({ sub, aud: ['x', 'rucio'], scope: ['profile', 'openid'] });
    await expect(check(token)).resolves.toMatchObject({ scope: 'profile openid' });
  });

  it('costs one query per identity and minute, and two requests to the issuer in all', async () => {
    const sub = await newSubject([{ account: uniqueName() }]);
    const token = await issuer.issue({ sub });
    expect((await measure(() => check(token))).cost).toMatchObject({ requests: 2, wru: 0 });
    expect((await measure(() => check(token))).cost.requests).toBe(0);
    expect(issuer.requests).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  it('a ban takes effect within a minute, lifting it at once', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const account = uniqueName();
    const token = await issuer.issue({ sub: await newSubject([{ account }]) });
    await check(token);
    for (const status of ['SUSPENDED', 'DELETED']) {
      await setStatus(account, status);
      vi.advanceTimersByTime(60_001);
      await expect(check(token)).rejects.toMatchObject(refusal);
      await setStatus(account, 'ACTIVE');
      await expect(check(token)).resolves.toMatchObject({ account });
    }
  });

  it('an identity without its mapping is refused after a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { deleteMapping } = await import('../../../lib/store/entities/identity.ts');
    const account = uniqueName();
    const sub = await newSubject([{ account }]);
    const token = await issuer.issue({ sub });
    await check(token);
    const mapping = { account, type: 'OIDC', identity: `SUB=${sub}, ISS=${issuer.url}` };
    await store.write(async () => deleteMapping(mapping, () => new Error('not mapped')));
    vi.advanceTimersByTime(60_001);
    await expect(check(token)).rejects.toMatchObject(refusal);
  });
});

describe('a token of an OpenID issuer is refused (access 1.5)', () => {
  let sub: string;
  beforeAll(async () => {
    sub = await newSubject([{ account: uniqueName() }]);
  });

  it.each([
    ['for another audience', { aud: 'other' }],
    ['for no audience', { aud: undefined }],
    ['without the scope profile', { scope: 'openid' }],
    ['without scopes', { scope: undefined }],
    ['with scopes of another form', { scope: { openid: 'profile' } }],
    ['after its end', { exp: 1000 }],
    ['without an end', { exp: undefined }],
    ['before its beginning', { nbf: 4_000_000_000 }],
    ['without a subject', { sub: undefined }],
    ['of an unknown subject', { sub: 'nobody' }],
    ['of a subject that no key can hold', { sub: '#'.repeat(400) }],
    ['that is longer than 3072 characters', { filler: 'x'.repeat(3000) }],
  ])('%s', async (_what, claims) => {
    await expect(check(await issuer.issue({ sub, ...claims }))).rejects.toMatchObject(refusal);
  });

  it('of an issuer that is not configured, or configured with another spelling', async () => {
    await expect(check(await issuer.issue({ sub, iss: 'https://else.example/' }))).rejects.toMatchObject(refusal);
    configure(issuer.url.replace(/\/$/, ''));
    await expect(check(await issuer.issue({ sub }))).rejects.toMatchObject(refusal);
    configure('');
    await expect(check(await issuer.issue({ sub }))).rejects.toMatchObject(refusal);
    configure(issuer.url);
  });

  it('with a signature of another key, of a shared secret, or none', async () => {
    const other = await startIssuer();
    const forged = await other.issue({ sub, iss: issuer.url });
    await other.close();
    await expect(check(forged)).rejects.toMatchObject(refusal);
    const claims = { iss: issuer.url, sub, aud: 'rucio', scope: 'openid profile', exp: 4_000_000_000 };
    const secret = new TextEncoder().encode(process.env['TOKEN_KEY']);
    const symmetric = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'key-1' }).sign(secret);
    await expect(check(symmetric)).rejects.toMatchObject(refusal);
    await expect(check(new UnsecuredJWT(claims).encode())).rejects.toMatchObject(refusal);
  });

  it('while our own tokens stay valid', async () => {
    const token = await newToken(store, { account: 'root', identity: 'ddmlab' });
    await expect(check(token)).resolves.toMatchObject({ account: 'root', identity: 'ddmlab' });
  });
});

describe('the issuer itself', () => {
  it('may change its keys', async () => {
    const own = await startIssuer();
    configure(own.url);
    const sub = await newSubject([{ account: uniqueName() }], own.url);
    await check(await own.issue({ sub }));
    await own.rotate();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.advanceTimersByTime(31_000);
    await expect(check(await own.issue({ sub }))).resolves.toMatchObject({ audience: 'rucio' });
    await own.close();
    configure(issuer.url);
  });

  it('that does not answer is a 503 with Retry-After, not a refusal, and is not asked again for a while', async () => {
    const own = await startIssuer();
    configure(own.url);
    own.fail(true);
    const outage = { name: 'ResourceTemporaryUnavailable', headers: { 'Retry-After': '5' } };
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(check(await own.issue())).rejects.toMatchObject(outage);
    }
    expect(own.requests).toEqual(['/.well-known/openid-configuration']);
    await own.close();
    configure(issuer.url);
  });

  it('must describe itself by its own name, and all requests use TLS', async () => {
    const liar = await startIssuer({ describes: 'https://else.example/' });
    const open = await startIssuer({ jwksUri: 'http://example.org/keys' });
    configure(`${liar.url} ${open.url} http://example.org/`);
    const outage = { name: 'ResourceTemporaryUnavailable' };
    await expect(check(await liar.issue())).rejects.toMatchObject(outage);
    await expect(check(await open.issue())).rejects.toMatchObject(outage);
    await expect(check(await open.issue({ iss: 'http://example.org/' }))).rejects.toMatchObject(outage);
    expect([...liar.requests, ...open.requests]).not.toContain('/keys');
    await Promise.all([liar.close(), open.close()]);
    configure(issuer.url);
  });
});
