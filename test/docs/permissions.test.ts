import { readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { permissionsPath, renderPermissions } from './permission-page.ts';

it('docs/permissions.md says what the permissions decide (renew it with `npm run docs -- permissions`)', async () => {
  expect(await readFile(permissionsPath, 'utf8')).toBe(await renderPermissions());
});
