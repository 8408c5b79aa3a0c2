/** Documents that must stay short enough to be read as a whole; details belong to the pages that they link. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

const readLines = (path: string) =>
  readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
    .trimEnd()
    .split('\n');

it.each([
  ['README.md', 130],
  ['CONTRIBUTING.md', 120],
  ['docs/README.md', 40],
  ['docs/performance.md', 100],
  ['docs/sweep.md', 12],
])('%s has at most %d lines', (path, most) => {
  expect(readLines(path).length).toBeLessThanOrEqual(most);
});
