import { defineConfig } from 'vitest/config';

import { commonOptions } from '../support/vitest-options.ts';

/** What is run against the deployed API (BASE_URL), and without BASE_URL against a local server, to compare. */
export default defineConfig({
  test: {
    ...commonOptions,
    include: ['test/blackbox/**/*.test.ts', 'test/compat/library.compat.ts'],
    globalSetup: 'test/compat/support/install-client.ts',
    // Some wait for a minute, which another one can use.
    maxWorkers: 4,
  },
});
