import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // One server and one table for the whole run; every test makes its own accounts and scopes.
    globalSetup: 'test/support/start-server.ts',
    // Two cores take two: a test file waits for the engine most of the time.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
