import { expect, it } from 'vitest';

import { findTouchedTests } from './touched-tests.ts';

const tests = ['test/a.test.ts', 'test/b.test.ts', 'test/blackbox/did-files.test.ts', 'test/blackbox/rses.test.ts'];
const imports = [
  { from: 'test/a.test.ts', to: 'lib/a.ts' },
  { from: 'lib/a.ts', to: 'lib/base.ts' },
  { from: 'lib/base.ts', to: 'lib/deep.ts' },
  { from: 'test/b.test.ts', to: 'lib/b.ts' },
];

it.each([
  ['a test that has changed', 'test/b.test.ts', ['test/b.test.ts']],
  ['the tests that import a changed file', 'lib/b.ts', ['test/b.test.ts']],
  ['the tests that import it over another one', 'lib/base.ts', ['test/a.test.ts']],
  ['no tests that reach it over many others', 'lib/deep.ts', []],
  ['the black-box tests of its group', 'lib/operations/dids/get-did.ts', ['test/blackbox/did-files.test.ts']],
  ['the black-box tests of its function', 'functions/rses.ts', ['test/blackbox/rses.test.ts']],
])('a change touches %s', (_what, changed, expected) => {
  expect(findTouchedTests([changed], imports, tests)).toEqual(expected);
});
