import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { nativeModules } from './test/support/native-modules.ts';
import { patience } from './test/support/volume.ts';

/** Files that take longest, by the ends of their paths. Begun last, they would be waited for alone. */
const longest = [
  'test/model/model.test.ts',
  'test/contract/generated-requests.test.ts',
  'test/blackbox/cursors.test.ts',
  'test/conformance/conformance.test.ts',
  'test/security/authorization/authorization.test.ts',
  'test/model/replay.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // One server and one table for the whole run; every test makes its own accounts and scopes.
    globalSetup: 'test/support/start-server.ts',
    // Two cores take two: a test file waits for the engine most of the time.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    experimental: nativeModules,
    testTimeout: patience(60_000),
    hookTimeout: patience(60_000),
  },
});
