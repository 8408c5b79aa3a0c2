import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';

import { describe, expect, it } from 'vitest';

import { Traffic } from '../../local/traffic.ts';

const neverReachedMs = 600_000;

/** The code under test only listens for its end. */
const beginAnswer = () => new EventEmitter() as unknown as ServerResponse;

describe('traffic', () => {
  it('resolves at once without requests', async () => {
    await new Traffic().waitForRequests(neverReachedMs);
  });

  it('resolves when the last request has ended', async () => {
    const traffic = new Traffic();
    const answers = [beginAnswer(), beginAnswer()];
    for (const answer of answers) traffic.count(answer);
    let hasPassed = false;
    const wait = async () => {
      await traffic.waitForRequests(neverReachedMs);
      hasPassed = true;
    };
    const passing = wait();
    answers[0]?.emit('close');
    await traffic.waitForRequests(20);
    expect(hasPassed).toBe(false);
    answers[1]?.emit('close');
    await passing;
  });

  it('resolves after the given time at the latest', async () => {
    const traffic = new Traffic();
    traffic.count(beginAnswer());
    await traffic.waitForRequests(20);
  });
});
