/**
 * Runs the tests that the changes since a commit touch: `npm run test:quick -- --since main`. Absent: since the last commit.
 * Further arguments are passed to vitest.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { readImports, sourceFolders } from './architecture/imports.ts';
import { findTouchedTests } from './architecture/touched-tests.ts';
import { testFiles } from './support/vitest-options.ts';

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  options: { since: { type: 'string', default: 'HEAD' } },
  allowPositionals: true,
});

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
const changed = [
  ...git('diff', '--name-only', '--relative', values.since),
  ...git('ls-files', '--others', '--exclude-standard'),
];

const tests = globSync(testFiles, { cwd: root }).toSorted();
const touched = findTouchedTests(changed, readImports(root, sourceFolders), tests);
console.log(`${changed.length} files have changed, ${touched.length} of ${tests.length} test files are touched`);
if (touched.length > 0) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', ...touched, ...positionals];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
