import { existsSync, readdirSync, rmSync } from 'node:fs';

import { compiledModules } from './native-modules.ts';

/** Some 100 MB. */
const maxEntries = 15_000;

/** Empties the cache of compiled modules when it is large: vitest loads each test file by a new URL in each run, which is a new entry. */
export default function setup(): void {
  if (!existsSync(compiledModules)) return;
  const entries = readdirSync(compiledModules, { recursive: true }).length;
  if (entries > maxEntries) rmSync(compiledModules, { recursive: true, force: true, maxRetries: 3 });
}
