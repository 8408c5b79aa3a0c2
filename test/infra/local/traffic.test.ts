import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';

import { describe, expect, it } from 'vitest';

import { Traffic } from '../../../infra/local/traffic.ts';

const longMilliseconds = 600_000;

/** Only its end is listened to. */
const beginAnswer = () => new EventEmitter() as unknown as ServerResponse;

describe('traffic', () => {
  it('is let pass at once where there is none', async () => {
    await new Traffic().letPass(longMilliseconds);
  });

  it('is let pass until the last request has ended', async () => {
    const traffic = new Traffic();
    const answers = [beginAnswer(), beginAnswer()];
    for (const answer of answers) traffic.count(answer);
    let hasPassed = false;
    const wait = async () => {
      await traffic.letPass(longMilliseconds);
      hasPassed = true;
    };
    const passing = wait();
    answers[0]?.emit('close');
    await traffic.letPass(20);
    expect(hasPassed).toBe(false);
    answers[1]?.emit('close');
    await passing;
  });

  it('does not hold up others for longer than they grant', async () => {
    const traffic = new Traffic();
    traffic.count(beginAnswer());
    await traffic.letPass(20);
  });
});
