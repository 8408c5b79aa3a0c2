import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

/** The markers of a conflict, also as the formatter writes them in Markdown. */
const marker = /^(<<<<<<< |>>>>>>> |> > > > > > > |\|? ?=======\s*(\||$))/m;

it('no file holds the markers of an unresolved merge', () => {
  const files = execFileSync('git', ['ls-files', '--', '*.md', '*.ts', '*.json', '*.yml'], { encoding: 'utf8' });
  const marked = files.split('\n').filter((file) => file !== '' && marker.test(readText(file)));
  expect(marked).toEqual([]);
});

/** The text of a tracked file; empty if it was deleted. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
