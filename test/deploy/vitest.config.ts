import { defineConfig } from 'vitest/config';

import { commonOptions } from '../support/vitest-options.ts';

/** Tests against the deployed API (BASE_URL) or, for comparison, against a local server (without BASE_URL). */
export default defineConfig({
  test: {
    ...commonOptions,
    include: ['test/blackbox/**/*.test.ts', 'test/compat/library.compat.ts'],
    globalSetup: 'test/compat/support/install-client.ts',
    // Some tests wait for a minute, so run others meanwhile.
    maxWorkers: 4,
  },
});
