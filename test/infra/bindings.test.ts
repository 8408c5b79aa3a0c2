import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../functions');
const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));

/** Conditions and loops; `?.` and optional members do not count. */
const decision = /\b(if|for|while|switch)\s*\(|\s\?\s|&&|\|\||\?\?/;

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

describe('the functions', () => {
  it.each(files)('%s binds operations, without conditions or loops', (name) => {
    const lines = withoutComments(readFileSync(join(folder, name), 'utf8')).split('\n');
    expect(lines.filter((line) => decision.test(line))).toEqual([]);
  });
});
