import { describe, expect, it } from 'vitest';

import { BatchLoad, Pace } from '../../lib/store/items/pace.ts';

describe('the pace of a bulk request', () => {
  /** Sends requests that end when they are let go; says how many were under way at once. */
  async function mostAtOnce(pace: Pace): Promise<number> {
    let running = 0;
    let most = 0;
    const send = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    await Promise.all(Array.from({ length: 40 }, () => pace.run(send)));
    return most;
  }

  it('halves when the table throttles, down to one request at a time, and grows again', async () => {
    const pace = new Pace();
    expect(await mostAtOnce(pace)).toBe(16);
    pace.slowDown();
    expect(await mostAtOnce(pace)).toBe(8);
    for (let count = 0; count < 10; count += 1) pace.slowDown();
    expect(await mostAtOnce(pace)).toBe(1);
    for (let count = 0; count < 200; count += 1) pace.speedUp();
    expect(await mostAtOnce(pace)).toBe(16);
  });
});

describe('a process with many pending writes', () => {
  it('refuses further bulk requests while the table throttles, with Retry-After', () => {
    const load = new BatchLoad();
    const end = load.admit(5_000);
    load.admit(1_000)();
    load.recordThrottle();
    expect(() => load.admit(11)).toThrow(
      expect.objectContaining({ name: 'DatabaseException', status: 503, headers: { 'Retry-After': '5' } }) as Error,
    );
    end();
    load.admit(11)();
  });
});
