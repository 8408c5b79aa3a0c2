import { describe, expect, it } from 'vitest';

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

  it('is for admins', async () => {
    expectError(await nobody.get('/status'), 401, 'CannotAuthenticate', /./);
    const alice = await newAccount();
    expectError(await alice.get('/status'), 401, 'AccessDenied', /./);
  });
});
