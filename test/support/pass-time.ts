import { vi } from 'vitest';

import { clock } from '../../lib/clock.ts';

/**
 * Sets the fake wall clock ahead by some milliseconds. It starts from the clock of the process, which work of an earlier test
 * that is still under way may have taken ahead of the wall clock.
 */
export function passTime(milliseconds: number): void {
  vi.setSystemTime(clock.now() + milliseconds);
}
