import { defineConfig } from 'vitest/config';

import { commonOptions } from '../support/vitest-options.ts';

/** `npm run test:compat:versions`: old versions of the official client, and tools of others, against servers as of `npm start`. */
export default defineConfig({
  test: {
    ...commonOptions,
    include: ['test/compat/versions/*.versions.ts'],
    // Every client and tool has a server of its own; they mostly wait for the starts of Python.
    maxWorkers: 1,
    maxConcurrency: 2,
  },
});
