import { defineConfig } from 'vitest/config';

import { commonOptions } from '../support/vitest-options.ts';

/** `npm run test:compat`: the official clients against a server in memory, or against BASE_URL. */
export default defineConfig({
  test: {
    ...commonOptions,
    include: ['test/compat/*.compat.ts'],
    globalSetup: 'test/compat/support/install-client.ts',
    // The library and the command line in parallel.
    maxWorkers: 2,
  },
});
