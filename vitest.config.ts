import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { alone, commonOptions, serverless, testFiles } from './test/support/vitest-options.ts';

/** One more than there are processors: tests wait a fifth of their time, mostly for the stream. */
const workers = availableParallelism() + 1;

/** Files that take longest, by the ends of their paths. Begun last, they would be waited for alone. */
const longest = [
  'test/simulate/simulate.test.ts',
  'test/lambda/aws-runtime.test.ts',
  'test/smoke/faults.test.ts',
  'test/moving/compare/compare.test.ts',
  'test/moving/export/export.test.ts',
  'test/simulate/labels.test.ts',
  'test/simulate/more-histories.test.ts',
  'test/sweep/sweep.test.ts',
  'test/moving/import/restart.test.ts',
  'test/model/model.test.ts',
  'test/conformance/conformance.test.ts',
  'test/domain/metadata-index/races.test.ts',
  'test/security/authorization/authorization.test.ts',
  'test/local/streams.test.ts',
  'test/blackbox/cursors.test.ts',
  'test/local/crash.test.ts',
  'test/contract/generated-requests.test.ts',
];

class LongestFirst extends BaseSequencer {
  /** One project after the other: a worker ends where the next file is of another one. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((path) => moduleId.endsWith(path));
    const projects = ['shared', 'serverless', 'alone'];
    const rank = (file: TestSpecification) => projects.indexOf(file.project.name) * 2 + (isLong(file) ? 0 : 1);
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    maxWorkers: workers,
    sequence: { sequencer: LongestFirst },
    coverage: {
      provider: 'v8',
      include: ['lib/**/*.ts', 'functions/**/*.ts'],
      reporter: ['text-summary', 'html'],
    },
    projects: [
      {
        test: {
          ...commonOptions,
          name: 'shared',
          include: [...testFiles],
          exclude: [...serverless, ...alone],
          maxWorkers: workers,
        },
      },
      {
        test: {
          ...commonOptions,
          name: 'serverless',
          include: [...serverless],
          exclude: [...alone],
          maxWorkers: workers,
        },
      },
      { test: { ...commonOptions, name: 'alone', include: [...alone], isolate: true, maxWorkers: workers } },
    ],
  },
});
