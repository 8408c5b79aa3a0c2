import { defineConfig } from 'vitest/config';

import { commonOptions } from '../test/support/vitest-options.ts';

/** Files that set the clock or make handlers of their own, as in `vitest.config.ts`. */
const serverless = [
  'test/http/*.test.ts',
  'test/store/{background,dying-writers,large-plans,order-of-values,overlapping-decisions,refused-for-good}.test.ts',
];
const alone = ['test/domain/auth/edge.test.ts', 'test/http/{conditional,repeated}-requests.test.ts'];

/** The tests that come near what is mutated: with all of them a mutant that survives would take minutes. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...commonOptions,
          name: 'shared',
          include: [
            'test/domain/rse-expression/*.test.ts',
            'test/rows/*.test.ts',
            'test/store/*.test.ts',
            'test/blackbox/{auth,bad-input,cursor-input,did-bulk-metadata,dids,entity-tags,idempotency-keys,redirect,replicas-metalink}.test.ts',
          ],
          exclude: [...serverless, ...alone],
        },
      },
      { test: { ...commonOptions, name: 'serverless', include: serverless, exclude: alone } },
      { test: { ...commonOptions, name: 'alone', include: alone, isolate: true } },
    ],
  },
});
