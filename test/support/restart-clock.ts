import { beforeEach } from 'vitest';

import { clock } from '../../lib/clock.ts';

// A test that sets the time ahead must not take the next one along: the clock of a process never goes back.
beforeEach(() => clock.restart());
