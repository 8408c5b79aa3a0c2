/** ARCHITECTURE.md names every folder of code. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');

const foldersOf = (path: string) =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name));

it('ARCHITECTURE.md names every folder of lib', () => {
  const named = new Set([...page.matchAll(/\b(lib\/[a-z]+)/g)].map(([, path]) => path));
  expect(foldersOf('lib').filter((path) => !named.has(path))).toEqual([]);
});

it('ARCHITECTURE.md has a row for every other folder of code', () => {
  const others = new Set(['.git', '.ci', '.github', 'docs', 'examples', 'lib', 'mutation', 'node_modules', 'test']);
  const code = execFileSync('git', ['ls-tree', '-d', '--name-only', 'HEAD'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((path) => !others.has(path));
  const rows = new Set([...page.matchAll(/^\| `([\w/]+)` +\|/gm)].map(([, path]) => path));
  expect(code.length).toBeGreaterThan(4);
  expect(code.filter((path) => !rows.has(path))).toEqual([]);
});
