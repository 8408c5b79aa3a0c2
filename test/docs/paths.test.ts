/** Names in documents exist: files and folders of the repository, and commands of package.json. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import packageJson from '../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
// The changelog also describes former releases.
const documents = globSync(['*.md', 'docs/**/*.md', '{local,test,examples,bench}/**/README.md'], { cwd: root })
  .filter((path) => path !== 'CHANGELOG.md' && !path.startsWith('docs/spec/') && !path.includes('node_modules'))
  .toSorted();
const folders = 'bench|browser|docs|examples|functions|infra|lib|local|moving|mutation|packaging|python|smoke|test';
const pathPattern = new RegExp(`\`((?:${folders})/[\\w./*{},-]+)\``, 'g');

/** Files that readers make, and those of other projects. */
const elsewhere = new Set([
  'browser/src/pages/conventions/conventions.tsx',
  'lib/operations/dids/get-metadata-keys.ts',
  'lib/rucio/web/rest/flaskapi/v1',
  'test/blackbox/did-metadata-keys.test.ts',
]);
/** Commands of other projects. */
const foreignCommands = new Set(['build']);

/** Whether a path leads to something; tests may be named without their ending. */
const exists = (path: string) =>
  elsewhere.has(path) || [path, `${path}.test.ts`].some((name) => globSync(name, { cwd: root }).length > 0);

describe('the documents', () => {
  it.each(documents)('%s names files and folders that exist', (document) => {
    const text = readFileSync(join(root, document), 'utf8');
    const named = new Set([...text.matchAll(pathPattern)].map(([, path = '']) => path));
    expect([...named].filter((path) => !exists(path))).toEqual([]);
  });

  it.each(documents)('%s names commands that exist', (document) => {
    const text = readFileSync(join(root, document), 'utf8');
    const named = new Set([...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name));
    expect([...named].filter((name) => !(name in packageJson.scripts) && !foreignCommands.has(name))).toEqual([]);
  });
});
