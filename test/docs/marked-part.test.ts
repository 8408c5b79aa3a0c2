import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { writeMarkedPart } from '../support/marked-part.ts';

let folder: string;
let page: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dapple-docs-'));
  page = join(folder, 'page.md');
});

afterAll(() => rm(folder, { recursive: true }));

describe('a part of a page that a program writes', () => {
  it('is replaced, and the rest of the page stays', async () => {
    await writeFile(page, '# A\n\n<!-- one -->\n\nold\n\n<!-- end -->\n\n<!-- two -->\n\nkept\n\n<!-- end -->\n');
    await writeMarkedPart(page, 'one', 'new\n\n| a |');
    expect(await readFile(page, 'utf8')).toBe(
      '# A\n\n<!-- one -->\n\nnew\n\n| a |\n\n<!-- end -->\n\n<!-- two -->\n\nkept\n\n<!-- end -->\n',
    );
  });

  it.each(['<!-- end -->\n\n<!-- one -->\n', 'nothing'])('is looked for in vain in %j', async (text) => {
    await writeFile(page, text);
    await expect(writeMarkedPart(page, 'one', 'new')).rejects.toThrow('lacks <!-- one --> ... <!-- end -->');
    expect(await readFile(page, 'utf8')).toBe(text);
  });

  it.each([
    ['docs/access-patterns.md', 'npm run docs -- costs'],
    ['docs/figures.md', 'npm run bench -- load'],
    ['docs/operations/load.md', 'npm run docs -- load: many scopes'],
    ['docs/figures.md', 'npm run bench -- cpu'],
  ])('has its marks in %s for %s', async (path, mark) => {
    expect(await readFile(path, 'utf8')).toMatch(new RegExp(`^<!-- ${mark} -->$[^]*?^<!-- end -->$`, 'm'));
  });
});
