import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

interface Link {
  readonly file: string;
  readonly target: string;
}

const listFiles = (): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.md'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(file));

/** The text of a page without its code. */
const readText = (file: string) =>
  readFileSync(file, 'utf8')
    .replaceAll(/^ *```.*?^ *```/gms, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, '_'));

/** The links of a page to files of the project, with those at its end. */
function readLinks(file: string): Link[] {
  const text = readText(file);
  const inline = [...text.matchAll(/\]\(([^()\s]+)\)/g)];
  const references = [...text.matchAll(/^\[[^\]]+\]: (\S+)$/gm)];
  return [...inline, ...references]
    .map(([, target = '']) => ({ file, target }))
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

/** The anchors that GitHub gives the headings of a page. */
function readAnchors(file: string): Set<string> {
  const text = readFileSync(file, 'utf8').replaceAll(/^ *```.*?^ *```/gms, '');
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function findFault({ file, target }: Link): string[] {
  const [path = '', anchor] = target.split('#');
  const page = path === '' ? file : join(dirname(file), path);
  if (!existsSync(page)) return [`${file}: ${target}: no such file`];
  if (anchor === undefined || statSync(page).isDirectory() || !page.endsWith('.md')) return [];
  return readAnchors(page).has(anchor) ? [] : [`${file}: ${target}: no such heading`];
}

it('the links of all pages lead to a file, and to a heading that it has', () => {
  const links = listFiles().flatMap(readLinks);
  expect(links.length).toBeGreaterThan(200);
  expect(links.flatMap(findFault)).toEqual([]);
});
