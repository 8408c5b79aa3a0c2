import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { followEvents } from '../../../lib/operations/events/follow-events.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { newTestStore } from '../../support/store.ts';

const minute = 60_000;
/** The begin of a window for answers of a minute. */
const begin = Math.floor(Date.now() / minute) * minute + minute;

let store: Store;
beforeAll(async () => {
  store = await newTestStore();
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Begins to read, as in a process of its own, and leaves at once: the function runs on, so that it counts on. */
async function read(account: string, now: number, { follow = true } = {}) {
  const wish = { since: undefined, type: [], follow };
  const context = { store: store.begin(), now, issuer: { account, identity: account } };
  const events = await followEvents(context, { wish, lastEventId: undefined, deadline: now + minute + 5_000 });
  await events.return();
}

const refused = (seconds: number, who: string) => ({
  name: 'ResourceTemporaryUnavailable',
  status: 429,
  message: `${who} too many readers of events. Please try again later.`,
  headers: { 'Retry-After': String(seconds) },
});

describe('readers of events, where a function serves each', () => {
  it('are limited for all accounts together, and half of them for one, and may come back when their answer has ended', async () => {
    vi.stubEnv('EVENT_READERS', '5');
    for (let reader = 0; reader < 3; reader += 1) await read('alice', begin);
    await expect(read('alice', begin + 20_000)).rejects.toMatchObject(refused(40, 'Account alice has'));
    await read('bob', begin);
    await read('bob', begin);
    await expect(read('carol', begin + 59_999)).rejects.toMatchObject(refused(1, 'There are'));
    for (let reader = 0; reader < 3; reader += 1) await read('alice', begin + minute);
    await read('bob', begin + minute);
  });

  it('cost two write units each; who does not wait for events costs none, and is not limited', async () => {
    vi.stubEnv('EVENT_READERS', '1');
    const { cost } = await measure(() => read('alice', begin + 10 * minute));
    expect(cost.wru).toBe(2);
    const short = await measure(() => read('alice', begin + 10 * minute, { follow: false }));
    expect(short.cost.wru).toBe(0);
  });

  it('are as many as like to on a laptop', async () => {
    for (let reader = 0; reader < 8; reader += 1) await read('alice', begin + 20 * minute);
  });
});
