/** The page of operators and the page for browsers have the same words for the options that Dapple reads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { configOptions } from '../../lib/contract/config-options.ts';
import { optionNames } from '../../lib/domain/config/read-option.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/operations/configuration.md'), 'utf8');

it('docs/operations/configuration.md has every option with its values, default and purpose', () => {
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.replaceAll('`', '').trim()),
    );
  expect(rows.slice(0, configOptions.length)).toEqual(
    configOptions.map(({ section, option, values, default: preset, purpose }) => [
      section,
      option,
      values,
      preset,
      purpose,
    ]),
  );
});

it('explains the options that are read, and no others', () => {
  const explained = configOptions.filter(({ isFree }) => isFree !== true);
  expect(explained.map(({ section, option }) => `${section}.${option}`).toSorted()).toEqual(optionNames.toSorted());
});
