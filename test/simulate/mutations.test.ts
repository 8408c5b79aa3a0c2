import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { projectRoot } from '../../infra/project-root.ts';
import { mutations } from './mutations.ts';

it.each(Object.entries(mutations))('the defect %s can still be put back', (_name, patches) => {
  for (const { file, from } of patches) {
    expect(readFileSync(join(projectRoot, file), 'utf8').split(from), file).toHaveLength(2);
  }
});
