import { readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { compatibilityPath, renderCompatibility } from './compatibility.ts';

it('docs/compatibility.md is up to date (renew it with `npm run docs:compatibility`)', async () => {
  expect(await readFile(compatibilityPath, 'utf8')).toBe(await renderCompatibility());
});
