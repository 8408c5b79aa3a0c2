import { describe, expect, it } from 'vitest';

import { HybridClock } from '../../lib/clock.ts';
import { ManualTime } from '../support/manual-time.ts';

const start = Date.UTC(2026, 10, 28);
const hour = 3_600_000;

function newClock() {
  const time = new ManualTime(start);
  return { time, clock: new HybridClock(time) };
}

describe('the hybrid clock', () => {
  it('is the wall clock while nobody sets that back, also after a sleep', () => {
    const { time, clock } = newClock();
    expect(clock.now()).toBe(start);
    time.pass(1_234);
    expect(clock.now()).toBe(start + 1_234);
    time.sleep(hour);
    expect([clock.now(), clock.lead]).toEqual([start + 1_234 + hour, 0]);
  });

  it('goes on at half the pace after the wall clock was set back, until that has caught up', () => {
    const { time, clock } = newClock();
    clock.now();
    time.set(start - hour);
    expect([clock.now(), clock.lead]).toEqual([start, hour]);
    time.pass(hour);
    expect([clock.now(), clock.lead]).toEqual([start + hour / 2, hour / 2]);
    time.pass(hour);
    expect([clock.now(), clock.lead]).toEqual([start + hour, 0]);
    time.pass(1);
    expect(clock.now()).toBe(start + hour + 1);
  });

  it('stands still, and never goes back, while all clocks of the machine stand still', () => {
    const { time, clock } = newClock();
    clock.now();
    time.set(start - 10);
    expect([clock.now(), clock.now()]).toEqual([start, start]);
  });

  it('never goes below a time that it has observed', () => {
    const { time, clock } = newClock();
    expect(clock.observe(start + hour)).toBe(true);
    expect(clock.now()).toBe(start + hour);
    time.pass(1_000);
    expect(clock.now()).toBe(start + hour + 500);
    expect([clock.observe(start), clock.observe(Number.NaN), clock.now()]).toEqual([true, false, start + hour + 500]);
  });

  it('follows a server that is ahead, so that a process with a slow clock hides nothing', () => {
    const { time, clock } = newClock();
    const [moment, sent] = [clock.moment(), clock.freeTime()];
    time.pass(40);
    clock.compare(start + hour, sent);
    expect(clock.now()).toBe(start + hour);
    // The present knowledge tells when the request began.
    expect(clock.timeOf(moment)).toBe(start + hour - 40);
    time.pass(1_000);
    expect([clock.now(), clock.lead]).toEqual([start + hour + 1_000, hour - 40]);
  });

  it('goes back to a server that is behind, but not below what was observed', () => {
    const { clock } = newClock();
    expect(clock.now()).toBe(start);
    clock.observe(start - hour + 5_000);
    clock.compare(start - hour, clock.freeTime());
    expect([clock.now(), clock.lead]).toEqual([start - hour + 5_000, 1_000 - hour]);
  });

  it('leaves a clock alone that agrees with a server to the second', () => {
    const { time, clock } = newClock();
    time.pass(990);
    const sent = clock.freeTime();
    time.pass(9);
    clock.compare(start, sent);
    time.pass(30);
    clock.compare(start + 1_000, sent);
    expect([clock.now(), clock.lead]).toEqual([start + 1_029, 0]);
  });

  it.each([
    ['forward', hour + 123.4],
    ['back', -hour - 123.4],
  ])('is right to the millisecond when somebody has set the wall clock %s between two answers', (_way, leap) => {
    const { time, clock } = newClock();
    time.pass(300);
    clock.compare(start, clock.freeTime());
    time.set(start + 300 + Math.floor(leap));
    time.pass(250.5);
    clock.compare(start, clock.freeTime());
    expect(Math.abs(clock.now() - (start + 550.5))).toBeLessThanOrEqual(1);
    expect(Number.isInteger(clock.correction)).toBe(true);
  });

  it('goes on while the wall clock stands still, although a server tells its time only to the second', () => {
    const { time, clock } = newClock();
    clock.compare(start, clock.freeTime());
    for (let passed = 0; passed < 4_000; passed += 1) {
      time.set(start);
      time.pass(1.5);
      clock.compare(start + Math.floor((passed * 1.5) / 1_000) * 1_000, clock.freeTime());
    }
    expect(Math.abs(clock.now() - (start + 6_000))).toBeLessThan(5);
  });

  it('does not run away from a wall clock that is right, over many answers', () => {
    const { time, clock } = newClock();
    for (let passed = 0; passed < 100_000; passed += 0.7) {
      clock.compare(start + Math.floor(passed / 1_000) * 1_000, clock.freeTime());
      time.pass(0.7);
      time.set(start + Math.floor(passed + 0.7));
    }
    expect([clock.lead, clock.correction]).toEqual([0, 0]);
  });

  it('dates no request before a commit that was seen when it began, though the wall clock was set a little forward', () => {
    const { time, clock } = newClock();
    clock.compare(start, clock.freeTime());
    time.set(start + 400);
    const commit = clock.now();
    clock.observe(commit);
    expect([commit, clock.timeOf(clock.moment())]).toEqual([start + 400, start + 400]);
  });

  it.each([
    ['forward', hour],
    ['back', -hour],
  ])('knows when a request began even if somebody sets the wall clock %s meanwhile', (_way, leap) => {
    const { time, clock } = newClock();
    clock.compare(start, clock.freeTime());
    time.pass(100);
    const [moment, sent] = [clock.moment(), clock.freeTime()];
    time.set(start + 100 + leap);
    time.pass(20);
    clock.compare(start, sent);
    expect(clock.timeOf(moment)).toBe(start + 100);
    time.sleep(hour);
    clock.compare(start + hour, clock.freeTime());
    expect(clock.timeOf(moment)).toBe(start + 100);
  });

  it('does not follow a time that is far ahead of what a server says', () => {
    const { clock } = newClock();
    clock.compare(start, clock.freeTime());
    expect(clock.observe(start + hour)).toBe(false);
    expect(clock.now()).toBe(start);
    expect(clock.observe(start + 60_000)).toBe(true);
    expect(clock.now()).toBe(start + 60_000);
  });
});

describe('a stopwatch', () => {
  it('counts the time in which the machine slept, and is not fooled by a clock that is set back', () => {
    const { time, clock } = newClock();
    const watch = clock.stopwatch();
    time.pass(100);
    expect(watch.elapsed()).toBe(100);
    time.sleep(hour);
    time.set(start - 2 * hour);
    // The time since the start of the machine may be a second too long.
    expect(watch.elapsed()).toBe(hour + 100 - 1_000);
  });
});
