import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { policyNames } from '../lib/policy/read-policy.ts';
import { projectRoot } from './project-root.ts';

/** The module of a policy for bundles: of one that comes with Dapple its file, of any other one that completes the file. */
export function fileOfPolicy(given: string): string {
  return policyNames.includes(given) ? join(projectRoot, 'policies', `${given}.ts`) : completePolicy(resolve(given));
}

/** Writes a module that says what the file of a policy does not say, as a server does when it reads the file. */
function completePolicy(path: string): string {
  const from = (...parts: string[]) => JSON.stringify(join(projectRoot, ...parts));
  const text = [
    `import { definePolicy } from ${from('lib', 'policy', 'policy.ts')};`,
    `import generic from ${from('policies', 'generic.ts')};`,
    `import own from ${JSON.stringify(path)};`,
    'export default definePolicy(generic, own);',
    '',
  ].join('\n');
  const folder = join(projectRoot, 'node_modules', '.cache', 'policies');
  const file = join(folder, `${createHash('sha256').update(path).digest('hex').slice(0, 16)}.ts`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, text);
  return file;
}
