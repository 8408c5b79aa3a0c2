import { beforeAll, describe, expect, it, vi } from 'vitest';

import { bootstrapRoot } from '../../lib/domain/accounts/bootstrap.ts';
import { countPasswordCheck } from '../../lib/domain/auth/throttle.ts';
import { hashPassword } from '../../lib/domain/identities/password.ts';
import type { RucioError } from '../../lib/errors.ts';
import { addAccount } from '../../lib/operations/accounts/add-account.ts';
import { addAccountIdentity, addUserPass } from '../../lib/operations/accounts/add-identity.ts';
import { putUserPass } from '../../lib/operations/accounts/set-password.ts';
import { updateAccount } from '../../lib/operations/accounts/update-account.ts';
import { type Credentials, logIn } from '../../lib/operations/auth/log-in.ts';
import { insertIdentity } from '../../lib/store/entities/identity.ts';
import { failuresKey, getFailures } from '../../lib/store/entities/login.ts';
import { measure } from '../../lib/store/items/meter.ts';
import { openStore, type Store } from '../../lib/store/open-store.ts';
import { countDerivations } from '../support/count-derivations.ts';
import { newFaultyEngine } from '../support/faulty-engine.ts';
import { skipPauses } from '../support/pauses.ts';
import { ownEngine } from '../support/run.ts';
import { uniqueName } from '../support/server.ts';
import { newTestStore } from '../support/store.ts';

const right: Credentials = { vo: undefined, account: 'root', username: 'ddmlab', password: 'secret' };
const wrong = { ...right, password: 'wrong' };

skipPauses();

let store: Store;
beforeAll(async () => {
  store = await newTestStore();
});

describe('bootstrap', () => {
  it('creates root once with concurrent starts, and a later password changes nothing', async () => {
    const starts = Array.from({ length: 4 }, () =>
      bootstrapRoot(store.begin(), { username: 'ddmlab', password: 'secret' }),
    );
    expect((await Promise.all(starts)).toSorted()).toEqual(['created', 'found', 'found', 'found']);
    expect(await bootstrapRoot(store.begin(), { username: 'ddmlab', password: 'other' })).toBe('found');
    expect(await logIn({ store: store.begin(), now: Date.now() }, right)).toMatchObject({ account: 'root' });
    await expect(logIn({ store: store.begin(), now: 0 }, { ...right, password: 'other' })).rejects.toThrow(
      'credentials',
    );
  });
});

describe('log-in: cost', () => {
  it('two round trips with an account, three without, and a write at the account and one at the username', async () => {
    const context = { store: store.begin(), now: Date.now() };
    expect((await measure(() => logIn(context, right))).cost).toMatchObject({ wru: 2, requests: 3, roundTrips: 2 });
    const { cost } = await measure(() => logIn(context, { ...right, account: undefined }));
    expect(cost).toMatchObject({ wru: 2, requests: 4, roundTrips: 3 });
  });

  it('a refusal of an impossible name reads nothing', async () => {
    const context = { store: store.begin(), now: Date.now() };
    for (const credentials of [
      { ...right, account: 'A#B' },
      { ...right, vo: 'xyz' },
      { ...right, username: '#'.repeat(999) },
    ]) {
      const { cost } = await measure(() => logIn(context, credentials).catch(() => undefined));
      expect(cost.requests).toBe(0);
    }
  });
});

describe('log-in: wrong passwords', () => {
  it('ten in a minute lock the account until a minute after the first', async () => {
    const at = (now: number) => ({ store: store.begin(), now });
    const begin = Date.now() + 3_600_000;
    for (let attempt = 0; attempt < 9; attempt += 1) {
      await expect(logIn(at(begin + attempt), wrong)).rejects.toMatchObject({
        name: 'CannotAuthenticate',
        status: undefined,
      });
    }
    await expect(logIn(at(begin + 10), right)).resolves.toMatchObject({ account: 'root' });
    await expect(logIn(at(begin + 10), wrong)).rejects.toMatchObject({ status: undefined });

    const { cost } = await measure(async () => {
      const refusal = { name: 'CannotAuthenticate', status: 429, headers: { 'Retry-After': '60' } };
      await expect(logIn(at(begin + 11), right)).rejects.toMatchObject(refusal);
    });
    expect(cost).toMatchObject({ wru: 0, requests: 1 });
    await expect(logIn(at(begin + 59_999), right)).rejects.toMatchObject({ headers: { 'Retry-After': '1' } });
    await expect(logIn(at(begin + 60_000), right)).resolves.toMatchObject({ account: 'root' });
    await expect(logIn(at(begin + 60_000), wrong)).rejects.toMatchObject({ status: undefined });
    await expect(logIn(at(begin + 60_001), right)).resolves.toMatchObject({ account: 'root' });
  });

  it('of many concurrent ones ten are refused as wrong, all others as too many, also a correct password', async () => {
    const now = Date.now() + 7_200_000;
    // Each attempt begins before any other is counted, as in separate processes.
    const tries = Array.from({ length: 60 }, () => logIn({ store: store.begin(), now }, wrong));
    const outcomes = await Promise.allSettled(tries);
    const statuses = outcomes.map((outcome) =>
      outcome.status === 'rejected' ? String((outcome.reason as { status?: number }).status) : 'let in',
    );
    expect(statuses.filter((status) => status === 'undefined')).toHaveLength(10);
    expect(statuses.filter((status) => status === '429')).toHaveLength(50);
    await expect(logIn({ store: store.begin(), now }, right)).rejects.toMatchObject({ status: 429 });
  });

  it('a correct password is refused when ten wrong ones were counted between its beginning and its check', async () => {
    const now = Date.now() + 10_800_000;
    const failures = await getFailures(store.table, [{ account: 'root' }]);
    for (let attempt = 0; attempt < 10; attempt += 1) await logIn({ store, now }, wrong).catch(() => undefined);
    const late = countPasswordCheck({ store, now }, { failures, isWrong: false });
    await expect(late).rejects.toMatchObject({ status: 429 });
  });

  it('any number of concurrent correct passwords is accepted', async () => {
    const now = Date.now() + 14_400_000;
    const tries = Array.from({ length: 30 }, () => logIn({ store: store.begin(), now }, right));
    for (const login of await Promise.all(tries)) expect(login).toMatchObject({ account: 'root' });
  });

  it('an attempt whose write is retried after a lost answer counts once', async () => {
    const engine = newFaultyEngine(await ownEngine());
    const lossy = openStore({ ...engine.client, tableName: store.table.name });
    const now = Date.now() + 18_000_000;
    for (let attempt = 0; attempt < 10; attempt += 1) {
      let isLost = false;
      engine.injectFaults((operation) => {
        if (operation !== 'UpdateItem' || isLost) return undefined;
        isLost = true;
        return { kind: 'lose answer' };
      });
      await expect(logIn({ store: lossy.begin(), now }, wrong)).rejects.toMatchObject({ status: undefined });
    }
    await expect(logIn({ store, now }, right)).rejects.toMatchObject({ status: 429 });
  });

  it('a counter of an older version expires with its minute and blocks nobody', async () => {
    const now = Date.now() + 21_600_000;
    const left = { ...failuresKey({ account: 'root' }), count: 10, until: now + 1_000 };
    await store.write(async (latest) => {
      const old = await latest.get(failuresKey({ account: 'root' }));
      if (old === undefined) return [{ kind: 'insert', item: left, onExists: () => new Error('exists') }];
      const patch = { set: { count: 10, until: now + 1_000 }, remove: ['wrong'] };
      return [{ kind: 'change', key: failuresKey({ account: 'root' }), patch, onMismatch: () => new Error('gone') }];
    });
    await expect(logIn({ store: store.begin(), now }, right)).resolves.toMatchObject({ account: 'root' });
    await expect(logIn({ store: store.begin(), now }, wrong)).rejects.toMatchObject({ status: undefined });
  });
});

describe('log-in: an identity without accounts, as former versions left it', () => {
  it('is unknown, whatever the password, and ten attempts lock it; added again, it has the new password', async () => {
    const context = { store, now: Date.now() };
    const issuer = { account: 'root', identity: 'ddmlab' };
    const username = uniqueName();
    const identity = { type: 'USERPASS', identity: username, email: 'x@example.org' };
    const password = await hashPassword('known');
    const failure = () => new Error('exists');
    await store.write(async () => [insertIdentity({ ...identity, password }, context.now, failure)]);
    const attempt = (given: string) =>
      logIn({ store: store.begin(), now: context.now }, { ...right, account: undefined, username, password: given });
    const refusal = { name: 'IdentityError', message: 'Cannot authenticate. The identity does not exist.' };
    const tries = Array.from({ length: 30 }, (_value, index) => attempt(index % 2 === 0 ? 'known' : 'guessed'));
    const refused = (await Promise.allSettled(tries)).map((outcome) =>
      outcome.status === 'rejected' ? (outcome.reason as RucioError) : undefined,
    );
    expect(refused.filter((error) => error?.name === refusal.name && error.message === refusal.message)).toHaveLength(
      10,
    );
    expect(refused.filter((error) => error?.status === 429)).toHaveLength(20);
    await addUserPass({ ...context, issuer }, { account: 'root', username, email: 'y@example.org', password: 'new' });
    const later = { store: store.begin(), now: context.now + 60_001 };
    await expect(logIn(later, { ...right, username, password: 'known' })).rejects.toMatchObject({ status: undefined });
    await expect(logIn(later, { ...right, username, password: 'new' })).resolves.toMatchObject({ account: 'root' });
  });
});

describe('log-in: a password that led to one within ten minutes (docs/security.md)', () => {
  const newUser = async () => {
    const username = uniqueName();
    const context = { store: store.begin(), now: Date.now(), issuer: { account: 'root', identity: 'ddmlab' } };
    await addUserPass(context, { account: 'root', username, email: 'x@example.org', password: 'secret' });
    return { vo: undefined, account: 'root', username, password: 'secret' };
  };
  const attempt = (user: Credentials) => logIn({ store: store.begin(), now: Date.now() }, user).catch(() => undefined);
  const derivationsOf = async (run: () => Promise<unknown>) => {
    const derivations = countDerivations();
    await run();
    return derivations.stop();
  };

  it('is recognised without deriving a key again, for ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const user = await newUser();
      expect(await derivationsOf(() => attempt(user))).toBe(1);
      expect(await derivationsOf(() => attempt(user))).toBe(0);
      vi.advanceTimersByTime(600_000);
      expect(await derivationsOf(() => attempt(user))).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is derived once for log-ins at the same time', async () => {
    const user = await newUser();
    const run = () => Promise.all(Array.from({ length: 8 }, () => attempt(user)));
    expect(await derivationsOf(run)).toBe(1);
  });

  it('is as slow as a wrong one wherever it does not log in: an unused account, one of others, a suspended one', async () => {
    const user = await newUser();
    const [unused, foreign] = [uniqueName('none'), uniqueName()];
    const context = { store: store.begin(), now: Date.now(), issuer: { account: 'root', identity: 'ddmlab' } };
    await addAccount(context, { account: foreign, type: 'USER', email: null });
    await attempt(user);
    for (const account of [unused, foreign]) {
      for (const password of ['secret', 'secret', 'wrong']) {
        expect(await derivationsOf(() => attempt({ ...user, account, password }))).toBe(1);
      }
    }
    await updateAccount(context, foreign, { status: 'SUSPENDED' });
    const identity = { identity: user.username, authtype: 'USERPASS', email: 'x@example.org', default: false } as const;
    await updateAccount(context, foreign, { status: 'ACTIVE' });
    await addAccountIdentity(context, { ...identity, account: foreign });
    await updateAccount(context, foreign, { status: 'SUSPENDED' });
    for (const password of ['secret', 'secret']) {
      expect(await derivationsOf(() => attempt({ ...user, account: foreign, password }))).toBe(1);
    }
  });

  it('is forgotten with the password', async () => {
    const user = await newUser();
    await attempt(user);
    const issuer = { account: 'root', identity: 'ddmlab' };
    const change = { account: 'root', username: user.username, password: 'new', email: undefined, current: undefined };
    await putUserPass({ store: store.begin(), now: Date.now(), issuer }, change);
    expect(await derivationsOf(() => attempt(user))).toBe(1);
    expect(await attempt(user)).toBeUndefined();
    expect(await attempt({ ...user, password: 'new' })).toMatchObject({ account: 'root' });
  });
});

describe('log-in: many wrong passwords at the same time', () => {
  it('of one user derive few keys more than lead to an answer, and another user waits for few of them', async () => {
    const now = Date.now() + 25_200_000;
    const username = uniqueName();
    const context = { store: store.begin(), now, issuer: { account: 'root', identity: 'ddmlab' } };
    await addUserPass(context, { account: 'root', username, email: 'x@example.org', password: 'secret' });
    const derivations = countDerivations();
    const tries = Array.from({ length: 60 }, (_value, index) =>
      logIn({ store: store.begin(), now }, { ...right, account: 'other', password: `wrong ${index}` }).catch(() => 1),
    );
    await logIn({ store: store.begin(), now }, { ...right, username });
    expect(derivations.count()).toBeLessThan(10);
    await Promise.all(tries);
    expect(derivations.stop()).toBeLessThan(20);
  });

  it('of users who do not exist wait for those who do', async () => {
    const now = Date.now() + 28_800_000;
    const username = uniqueName();
    const context = { store: store.begin(), now, issuer: { account: 'root', identity: 'ddmlab' } };
    await addUserPass(context, { account: 'root', username, email: 'x@example.org', password: 'secret' });
    const derivations = countDerivations();
    const tries = Array.from({ length: 60 }, (_value, index) =>
      logIn({ store: store.begin(), now }, { ...right, account: `o${index}`, username: `unknown ${index}` }).catch(
        () => 1,
      ),
    );
    await logIn({ store: store.begin(), now }, { ...right, username });
    expect(derivations.count()).toBeLessThan(10);
    await Promise.all(tries);
    derivations.stop();
  });
});
