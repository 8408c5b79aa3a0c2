/** docs/operations.md has the options and variables of the server as `npm start -- --help` says them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import type { Option } from '../../local/option.ts';
import { serverOptions, serverVariables } from '../../local/options.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
const rows = page.split('\n').flatMap((line) => {
  const [, name = '', meaning = ''] = /^\| `([^`]+)` +\| (.+?) +\|$/.exec(line) ?? [];
  return name === '' ? [] : [[name, meaning] as const];
});
const table = (names: readonly string[]) => rows.filter(([name]) => names.includes(name));

it('has every option with its meaning and default', () => {
  const wanted = Object.values<Option>(serverOptions)
    .filter(({ usage }) => usage !== '--help')
    .map(({ usage, help, default: preset }) => [usage, preset === undefined ? help : `${help} (default: ${preset})`]);
  expect(table(wanted.map(([usage = '']) => usage))).toEqual(wanted);
});

it('has every environment variable with its meaning', () => {
  const wanted = Object.entries(serverVariables);
  expect(table(wanted.map(([name]) => name)).slice(0, wanted.length)).toEqual(wanted);
});
