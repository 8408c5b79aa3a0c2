/** The options of programs are declared by local/option.ts: from one declaration follow parser, help and types. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const sources = globSync('{local,moving}/**/*.ts', { cwd: root }).filter((file) => !file.startsWith('local/engine/'));

it('no program of the laptop or of a move parses its command line by itself', () => {
  const parsing = sources.filter((file) => /\bparseArgs\b/.test(readFileSync(join(root, file), 'utf8')));
  expect(parsing).toEqual(['local/option.ts']);
});

it('programs have the folder of data and the folders of storage from the one declaration', () => {
  const declaring = sources.filter((file) => /'--(?:data|storage) </.test(readFileSync(join(root, file), 'utf8')));
  expect(declaring).toEqual(['local/shared-options.ts']);
});
