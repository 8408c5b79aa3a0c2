import { defineConfig } from 'vitest/config';

import { nativeModules } from '../support/native-modules.ts';

/** What is run against the deployed API (BASE_URL), and without BASE_URL against a local server, to compare. */
export default defineConfig({
  test: {
    include: ['test/blackbox/**/*.test.ts', 'test/compat/library.compat.ts'],
    globalSetup: ['test/compat/support/install-client.ts', 'test/support/start-server.ts'],
    // Some wait for a minute, which another one can use.
    maxWorkers: 4,
    experimental: nativeModules,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
