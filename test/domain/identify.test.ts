import { SignJWT } from 'jose';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { bootstrapRoot } from '../../lib/domain/accounts/bootstrap.ts';
import { identify } from '../../lib/domain/auth/identify.ts';
import { hashPassword } from '../../lib/domain/identities/password.ts';
import { freshFacts, cachedFacts } from '../../lib/domain/permission/facts.ts';
import { getTokenKeys } from '../../lib/domain/tokens/token-keys.ts';
import { issueToken } from '../../lib/domain/tokens/token.ts';
import { updateAccount } from '../../lib/operations/accounts/update-account.ts';
import { validateToken } from '../../lib/operations/auth/validate-token.ts';
import { changeAccount } from '../../lib/store/entities/account.ts';
import { deleteMapping, getIdentityWithMappings, getOrigin, setPassword } from '../../lib/store/entities/identity.ts';
import { measure } from '../../lib/store/items/meter.ts';
import type { Store } from '../../lib/store/open-store.ts';
import { newTestStore } from '../support/store.ts';
import { anyOrigin, newToken } from '../support/tokens.ts';

const root = { account: 'root', identity: 'ddmlab' };
const refusal = { name: 'CannotAuthenticate', message: 'Cannot authenticate with given credentials' };

let store: Store;
beforeAll(async () => {
  store = await newTestStore();
  await bootstrapRoot(store, { username: 'ddmlab', password: 'secret' });
});
afterEach(() => {
  vi.useRealTimers();
});

const tokenOf = (issuer: typeof root, now = Date.now()) => newToken(store, issuer, now);

/** Changes the status of root as another process would. */
const setStatus = (status: string) =>
  store.write(async () => [changeAccount('root', { status }, () => new Error('no root'))]);

describe('token check (access 1.5)', () => {
  it('costs no read when the account is cached', async () => {
    const token = await tokenOf(root);
    await identify(store.begin(), token);
    const { result, cost } = await measure(() => identify(store.begin(), token));
    expect(result).toMatchObject(root);
    expect(cost.requests).toBe(0);
  });

  it('a ban takes effect within a minute, also for root; lifting it at once', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const token = await tokenOf(root);
    await identify(store.begin(), token);
    await setStatus('SUSPENDED');
    vi.advanceTimersByTime(60_001);
    await expect(identify(store.begin(), token)).rejects.toMatchObject(refusal);
    await setStatus('ACTIVE');
    await expect(identify(store.begin(), token)).resolves.toMatchObject(root);
  });

  it('costs two reads at the same time when nothing is cached', async () => {
    const other = await newTestStore();
    await bootstrapRoot(other, { username: 'ddmlab', password: 'secret' });
    const token = await newToken(other, root);
    const { cost } = await measure(() => identify(other.begin(), token));
    expect(cost).toMatchObject({ requests: 2, roundTrips: 1, wru: 0 });
  });

  it('a new password, and the removal of the identity, by another process end it within a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const failure = () => new Error('raced');
    const other = await newTestStore();
    await bootstrapRoot(other, { username: 'ddmlab', password: 'secret' });
    const key = { type: 'USERPASS', identity: 'ddmlab' };
    const first = await newToken(other, root);
    await identify(other.begin(), first);
    const { identity } = await getIdentityWithMappings(other.table, key);
    if (identity === undefined) throw new Error('root has no identity');
    await other.write(async () => [setPassword(identity, { password: await hashPassword('new') }, failure)]);
    const second = await newToken(other, root);
    // The new one never waits for the cache.
    await expect(identify(other.begin(), second)).resolves.toMatchObject(root);
    await expect(identify(other.begin(), first)).rejects.toMatchObject(refusal);
    await other.write(async () => deleteMapping({ ...key, account: 'root' }, failure));
    vi.advanceTimersByTime(60_001);
    await expect(identify(other.begin(), second)).rejects.toMatchObject(refusal);
  });

  it('a token of a version that did not say what it stands on is refused', async () => {
    const { signing } = await getTokenKeys();
    const token = await new SignJWT({ idn: 'ddmlab' })
      .setProtectedHeader({ alg: 'HS256', kid: signing.id })
      .setSubject('root')
      .setAudience('rucio')
      .setExpirationTime(Math.floor(Date.now() / 1000) + 3_600)
      .sign(signing.bytes);
    await expect(identify(store.begin(), token)).rejects.toMatchObject(refusal);
  });

  it('the TTL counts from the beginning of a read, however long it takes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    // A Lambda can freeze in the middle of a read and thaw minutes later.
    const slow = freshFacts(store).account('root');
    vi.advanceTimersByTime(60_000);
    await slow;
    const { cost } = await measure(() => cachedFacts(store).account('root'));
    expect(cost.requests).toBe(1);
  });

  it('two tables in one process share no cached account', async () => {
    const other = await newTestStore();
    await bootstrapRoot(other, { username: 'ddmlab', password: 'secret' });
    const token = await newToken(other, root);
    await identify(other.begin(), token);
    await updateAccount({ store: store.begin(), now: Date.now(), issuer: root }, 'root', { email: 'root@example.org' });
    const { cost } = await measure(() => identify(other.begin(), token));
    expect(cost.requests).toBe(0);
  });

  it('an expired token, one of an unknown account and one signed by another key are refused', async () => {
    const expired = await tokenOf(root, Date.now() - 3_601_000);
    await expect(identify(store, expired)).rejects.toMatchObject(refusal);
    await expect(
      identify(store, (await issueToken({ ...root, account: 'nobody', origin: anyOrigin }, Date.now())).token),
    ).rejects.toMatchObject(refusal);
    const [head = '', body = ''] = (await tokenOf(root)).split('.');
    await expect(identify(store, `${head}.${body}.${'A'.repeat(43)}`)).rejects.toMatchObject(refusal);
  });
});

describe('auth/validate answers a Python dictionary (access 1.5)', () => {
  const content = async (identity: string) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21, 12, 24, 4) });
    const origin = await getOrigin(store.table, 'root', { type: 'USERPASS', identity: 'ddmlab' });
    if (origin === undefined) throw new Error('root has no identity');
    const { token } = await issueToken({ account: 'root', identity, origin }, Date.now());
    return validateToken({ store, now: Date.now() }, token);
  };

  it('as Rucio does', async () => {
    expect(await content('ddmlab')).toBe(
      "{'account': 'root', 'identity': 'ddmlab', 'lifetime': datetime.datetime(2026, 11, 21, 13, 24, 4), " +
        "'audience': None, 'authz_scope': None, 'vo': 'def'}",
    );
  });

  it.each([
    ["it's", `"it's"`],
    [`'"`, `'\\'"'`],
    ['a\\b\n', `'a\\\\b\\x0a'`],
  ])('quotes %j', async (identity, python) => {
    expect(await content(identity)).toContain(`'identity': ${python},`);
  });
});
