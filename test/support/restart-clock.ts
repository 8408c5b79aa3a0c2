import { beforeAll, beforeEach } from 'vitest';

import { clock } from '../../lib/clock.ts';

/**
 * A test that sets the time ahead must not take the next one along: the clock of a process never goes back. Files that share a
 * process share its clock as well, so this comes before what a file prepares for its tests, too: bulk requests that are
 * committed ahead of the time are hidden from a clock that starts again.
 */
beforeAll(() => clock.restart());
beforeEach(() => clock.restart());
