import { expect, it } from 'vitest';

import { baseUrl } from '../support/run.ts';
import { type Client, expectError, newAccount } from '../support/server.ts';

async function openStream(client: Client): Promise<{ response: Response; leave: () => void }> {
  const leaving = new AbortController();
  const response = await fetch(`${await baseUrl()}/events?follow=true`, {
    headers: { 'X-Rucio-Auth-Token': await client.token(), Accept: 'text/event-stream' },
    signal: leaving.signal,
  });
  return { response, leave: () => leaving.abort() };
}

it('an account has 20 event streams at a time; more are 429, until one ends; others have theirs', async () => {
  const [alice, bob] = [await newAccount(), await newAccount()];
  const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(alice)));
  try {
    expect(streams.map(({ response }) => response.status)).toEqual(Array.from({ length: 20 }, () => 200));
    const refusal = await alice.get('/events?follow=true', { headers: { Accept: 'text/event-stream' } });
    expectError(refusal, 429, 'ResourceTemporaryUnavailable');
    expect(refusal.headers.get('Retry-After')).toBe('30');
    const other = await openStream(bob);
    expect(other.response.status).toBe(200);
    other.leave();
    streams.pop()?.leave();
    await expect
      .poll(async () => {
        const next = await openStream(alice);
        if (next.response.status === 200) streams.push(next);
        else next.leave();
        return next.response.status;
      })
      .toBe(200);
  } finally {
    for (const { leave } of streams) leave();
  }
});
