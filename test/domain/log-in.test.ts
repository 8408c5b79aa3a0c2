import { beforeAll, describe, expect, it } from 'vitest';

import { bootstrapRoot } from '../../lib/domain/accounts/bootstrap.ts';
import { type Credentials, logIn } from '../../lib/domain/auth/log-in.ts';
import { measure } from '../../lib/store/meter.ts';
import type { Store } from '../../lib/store/open-store.ts';
import { newTestStore } from '../support/store.ts';

const right: Credentials = { vo: undefined, account: 'root', username: 'ddmlab', password: 'secret' };
const wrong = { ...right, password: 'wrong' };

let store: Store;
beforeAll(async () => {
  store = await newTestStore();
});

describe('bootstrap', () => {
  it('makes root once, however many processes start, and a later password changes nothing', async () => {
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
  it('one round trip and no write with an account, two round trips without', async () => {
    const context = { store: store.begin(), now: Date.now() };
    expect((await measure(() => logIn(context, right))).cost).toMatchObject({ wru: 0, requests: 1 });
    const { cost } = await measure(() => logIn(context, { ...right, account: undefined }));
    expect(cost).toMatchObject({ wru: 0, requests: 2, roundTrips: 2 });
  });

  it('a refusal of what cannot exist reads nothing', async () => {
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
  it('ten in a minute shut the account until the minute that began with the first is over', async () => {
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

  it('all of many at the same time are counted', async () => {
    const context = { store: store.begin(), now: Date.now() + 7_200_000 };
    await Promise.allSettled(Array.from({ length: 10 }, () => logIn(context, wrong)));
    await expect(logIn({ ...context, store: store.begin() }, right)).rejects.toMatchObject({ status: 429 });
  });
});
