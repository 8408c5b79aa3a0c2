import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Makes the pauses before retries zero in the tests of a file, those of the SDK and ours: all of them are drawn between
 * zero and a bound.
 */
export function skipPauses(): void {
  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterEach(() => {
    vi.mocked(Math.random).mockRestore();
  });
}
