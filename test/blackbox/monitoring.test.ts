import { describe, expect, it } from 'vitest';

import { clock } from '../../lib/clock.ts';
import { getSurroundings, setSurroundings } from '../../lib/surroundings.ts';
import { asRoot, expectError, newAccount, nobody } from '../support/server.ts';

describe('GET /status', () => {
  it('tells operators how the catalogue is, and what to look at', async () => {
    const answer = await asRoot().get('/status');
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      problems: expect.any(Array),
      table: { milliseconds: expect.any(Number) },
      clock: { correction: expect.any(Number) },
      tasks: { count: expect.any(Number), more: expect.any(Boolean) },
      owed: false,
    });
  });

  it.each([
    [1, []],
    [8.5, [expect.stringContaining('8 days old')]],
    // A clock that was ahead does not hide that there is none since.
    [-30, [expect.stringContaining('in the future')]],
  ])('of a backup %d days ago tells what to do', async (days, problems) => {
    const before = getSurroundings();
    const lastBackup = () => clock.now() - days * 86_400_000;
    setSurroundings({ streamLags: () => new Map(), jobs: () => [], diskProblem: () => undefined, lastBackup });
    try {
      const found = (await asRoot().get('/status')).json() as { problems: string[] };
      expect(found.problems.filter((problem) => problem.includes('backup is'))).toEqual(problems);
    } finally {
      setSurroundings(before);
    }
  });

  it('is for admins', async () => {
    expectError(await nobody.get('/status'), 401, 'CannotAuthenticate', /./);
    const alice = await newAccount();
    expectError(await alice.get('/status'), 401, 'AccessDenied', /./);
  });
});
