import { defineConfig } from 'vitest/config';

import { commonOptions } from '../support/vitest-options.ts';

/** The page in a real browser (npm run test:browser). One worker: it has one browser and one server. */
export default defineConfig({
  test: {
    ...commonOptions,
    include: ['test/browser/*.browser.ts'],
    maxWorkers: 1,
    // Each file has a server, and a process can have one after another only for the same engine.
    isolate: true,
    testTimeout: 120_000,
    // As long as any other step (support/open-page.ts): the machine may be busy.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 300_000,
  },
});
