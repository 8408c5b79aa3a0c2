import { defineConfig } from 'vitest/config';

import { alone, commonOptions, serverless } from '../test/support/vitest-options.ts';

const isNear = (path: string) => /^test\/(domain\/auth|http|store)\//.test(path);

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
      { test: { ...commonOptions, name: 'serverless', include: serverless.filter(isNear), exclude: [...alone] } },
      { test: { ...commonOptions, name: 'alone', include: alone.filter(isNear), isolate: true } },
    ],
  },
});
