import { beforeAll, describe, expect, it } from 'vitest';

import { bootstrapRoot } from '../../../lib/domain/accounts/bootstrap.ts';
import { issueChallenge, findOpenChallenge } from '../../../lib/domain/auth/ssh-challenge.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { newTestStore } from '../../support/store.ts';

let store: Store;
beforeAll(async () => {
  store = await newTestStore();
  await bootstrapRoot(store, { username: 'ddmlab', password: 'secret' });
});

const root = { vo: undefined, account: 'root' };
const at = (now: number) => ({ store: store.begin(), now });
const isOpen = async (challenge: string, now: number) =>
  (await findOpenChallenge('root', now, (open) => open === challenge)) !== undefined;
const noon = Date.UTC(2026, 10, 21, 12);

describe('SSH challenges (access 1.4)', () => {
  it.each([0, 500, 999])('are open for ten seconds and no more than eleven, issued %d ms into a second', async (ms) => {
    const now = noon + ms;
    const { challenge, expiresAt } = await issueChallenge(at(now), root);
    expect(expiresAt).toBe(noon + 10_000);
    expect(await isOpen(challenge, now)).toBe(true);
    expect(await isOpen(challenge, now + 10_000)).toBe(true);
    expect(await isOpen(challenge, now + 11_000)).toBe(false);
  });

  it('are accepted by a process whose clock is a little behind', async () => {
    const { challenge } = await issueChallenge(at(noon), root);
    expect(await isOpen(challenge, noon - 900)).toBe(true);
  });

  it('differ from account to account, from second to second and within a second', async () => {
    const numbers = new Set<string | undefined>();
    for (const account of ['a', 'b']) {
      await findOpenChallenge(account, noon, (text) => {
        numbers.add(text.split('-')[1]);
        return false;
      });
    }
    expect(numbers.size).toBe(2 * 12 * 1_024);
  });

  it('are not stored: one read, no write', async () => {
    const { cost } = await measure(() => issueChallenge(at(noon), root));
    expect(cost).toMatchObject({ requests: 1, wru: 0 });
    expect((await measure(() => isOpen('none', noon))).cost.requests).toBe(0);
  });
});
