/** `npm run docs -- <name>`: writes what is generated in the documents. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const vitest = 'node_modules/vitest/vitest.mjs';

/** The program of each part, the document that is formatted afterwards, and the environment. */
const parts: Readonly<
  Record<string, { run: readonly string[]; format?: string; env?: Readonly<Record<string, string>> }>
> = {
  compatibility: { run: ['test/compat/write-compatibility.ts'] },
  costs: { run: ['bench/table/main.ts', '--repetitions', '0', '--write'], format: 'docs/access-patterns.md' },
  deletions: {
    run: [vitest, 'run', 'test/security/deletions'],
    format: 'docs/security.md',
    env: { WRITE_DELETIONS: '1' },
  },
  load: { run: ['bench/saturation/main.ts', '--write'], format: 'docs/operations/load.md' },
  policies: { run: ['test/docs/write-policies.ts'], format: 'docs/policies' },
  permissions: { run: ['test/docs/write-permissions.ts'] },
  prices: { run: ['bench/table/cost-page.ts', '--write'], format: 'docs/costs.md' },
  screenshots: { run: ['test/browser/screenshots.ts'] },
  sweep: { run: [vitest, 'run', 'test/sweep'], format: 'docs/sweep.md', env: { SWEEP: 'all' } },
};

const run = (args: readonly string[], env = {}) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;

const [name = '', ...args] = process.argv.slice(2);
const part = parts[name];
if (part === undefined) {
  console.log(`npm run docs -- <${Object.keys(parts).join(' | ')}>`);
  process.exitCode = 2;
} else {
  const status = run([...part.run, ...args], part.env);
  const formatter = 'node_modules/oxfmt/bin/oxfmt';
  process.exitCode = status === 0 && part.format !== undefined ? run([formatter, part.format]) : status;
}
