import { defineConfig } from 'vitest/config';

import { nativeModules } from '../support/native-modules.ts';

/** `npm run test:compat`: the official clients against a server in memory, or against BASE_URL. */
export default defineConfig({
  test: {
    include: ['test/compat/*.compat.ts'],
    globalSetup: ['test/compat/support/install-client.ts', 'test/support/start-server.ts'],
    // The library beside the command line.
    maxWorkers: 2,
    experimental: nativeModules,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
