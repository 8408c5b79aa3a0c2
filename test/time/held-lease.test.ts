import { describe, expect, it } from 'vitest';

import { HeldLease } from '../../lib/background/held-lease.ts';
import { HybridClock } from '../../lib/clock.ts';
import { ManualTime } from '../support/manual-time.ts';

const start = Date.UTC(2026, 10, 28);

function newLease(readToken: () => Promise<number | undefined>) {
  const time = new ManualTime(start);
  const clock = new HybridClock(time);
  const lease = new HeldLease(clock.stopwatch(), { durationMs: 60_000, token: 7, readToken }, clock);
  return { time, lease };
}

describe('a lease on something outside of the catalogue', () => {
  it('is proven again by its token whenever five seconds have passed, with one read for all callers', async () => {
    let reads = 0;
    const { time, lease } = newLease(async () => {
      reads += 1;
      return 7;
    });
    expect(await lease.isHeld()).toBe(true);
    time.pass(4_999);
    expect([await lease.isHeld(), reads]).toEqual([true, 0]);
    time.pass(1);
    expect([await Promise.all([lease.isHeld(), lease.isHeld()]), reads]).toEqual([[true, true], 1]);
    time.pass(4_999);
    expect([await lease.isHeld(), reads]).toEqual([true, 1]);
  });

  it('is lost for good when another holder has left its number, or nobody holds it', async () => {
    for (const found of [8, undefined]) {
      let token: number | undefined = found;
      const { time, lease } = newLease(async () => token);
      time.pass(5_000);
      expect(await lease.isHeld()).toBe(false);
      token = 7;
      expect(await lease.isHeld()).toBe(false);
    }
  });

  it('ends by time that runs while the machine sleeps, also when the wall clock is set back', async () => {
    const { time, lease } = newLease(async () => 7);
    time.sleep(60_000);
    time.set(start - 3_600_000);
    expect(await lease.isHeld()).toBe(false);
  });

  it('is lost when it ends during the look at its token', async () => {
    const { time, lease } = newLease(async () => {
      time.sleep(60_000);
      return 7;
    });
    time.pass(5_000);
    expect(await lease.isHeld()).toBe(false);
  });

  it('proves nothing while the token cannot be read, and holds again when it can', async () => {
    let fails = true;
    const { time, lease } = newLease(async () => {
      if (fails) throw new Error('no answer');
      return 7;
    });
    time.pass(5_000);
    await expect(lease.isHeld()).rejects.toThrow('no answer');
    fails = false;
    expect(await lease.isHeld()).toBe(true);
  });
});
