import { defineConfig } from 'vitest/config';

import { commonOptions } from '../../support/vitest-options.ts';

/** The page of a deployed stack. `npm run test:deploy` runs it, and says where the stack is (PAGE_URL, API_URL, ROOT_*). */
export default defineConfig({
  test: {
    ...commonOptions,
    include: ['test/browser/deployed/*.browser.ts'],
    maxWorkers: 1,
    testTimeout: 120_000,
    // As long as any other step (support/open-page.ts): the machine may be busy.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 120_000,
  },
});
