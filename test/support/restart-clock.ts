import { beforeEach } from 'vitest';

import { clock } from '../../lib/clock.ts';

// A test that sets the time ahead must not take the next one along: the clock of a process never goes back. Work of that test which
// is still under way must not either: a clock that knows the time of a server follows no time that is far ahead of it.
beforeEach(() => {
  clock.restart();
  const now = Date.now();
  clock.compare(now - (now % 1_000), now);
});
