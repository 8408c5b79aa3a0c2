import { beforeAll, describe, expect, it } from 'vitest';

import { bootstrapRoot } from '../../../lib/domain/accounts/bootstrap.ts';
import { issueChallenge, openChallenges } from '../../../lib/domain/auth/ssh-challenge.ts';
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
const noon = Date.UTC(2026, 10, 21, 12);

describe('SSH challenges (access 1.4)', () => {
  it.each([0, 500, 999])('are open for ten seconds and no more than eleven, issued %d ms into a second', async (ms) => {
    const now = noon + ms;
    const { challenge, expiresAt } = await issueChallenge(at(now), root);
    expect(expiresAt).toBe(noon + 10_000);
    expect(await openChallenges('root', now)).toContain(challenge);
    expect(await openChallenges('root', now + 10_000)).toContain(challenge);
    expect(await openChallenges('root', now + 11_000)).not.toContain(challenge);
  });

  it('are accepted by a process whose clock is a little behind', async () => {
    const { challenge } = await issueChallenge(at(noon), root);
    expect(await openChallenges('root', noon - 900)).toContain(challenge);
  });

  it('differ from account to account and from second to second', async () => {
    const challenges = await Promise.all([openChallenges('a', noon), openChallenges('b', noon)]);
    const numbers = challenges.flat().map((text) => text.split('-')[1]);
    expect(new Set(numbers).size).toBe(24);
  });

  it('are not stored: one read, no write', async () => {
    const { cost } = await measure(() => issueChallenge(at(noon), root));
    expect(cost).toMatchObject({ requests: 1, wru: 0 });
    expect((await measure(() => openChallenges('root', noon))).cost.requests).toBe(0);
  });
});
