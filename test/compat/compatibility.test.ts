import { readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { compatibilityPath, renderCompatibility } from './compatibility.ts';
import { findMissing, readRucioRoutes } from './rucio-routes.ts';

it('docs/compatibility.md is up to date (renew it with `npm run docs -- compatibility`)', async () => {
  expect(await readFile(compatibilityPath, 'utf8')).toBe(await renderCompatibility());
});

it('a route of Rucio that is not served has a reason, and no reason is about another one', async () => {
  const rucio = await readRucioRoutes();
  expect(findMissing(rucio).length).toBeGreaterThan(0);
  expect(() => findMissing([...rucio, 'GET /elsewhere/<name>'])).toThrow('GET /elsewhere/<name> is not served');
  expect(() => findMissing(rucio.filter((route) => !route.includes(' /vos/')))).toThrow(
    'no route is missing below /vos',
  );
});
