import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { projectRoot } from '../../infra/project-root.ts';
import { smallLimitEdits } from './small-limits.ts';

it.each([...smallLimitEdits])('%s still declares the limits that simulations replace', (file, edit) => {
  const contents = readFileSync(join(projectRoot, file), 'utf8');
  expect(edit(contents)).not.toBe(contents);
});
