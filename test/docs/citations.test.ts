import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { type Citation, findCitations, readSections, type Sections } from './find-citations.ts';

const folders = ['lib', 'functions', 'infra', 'examples', 'test', 'docs'];
const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'];
const read = /\.(?:ts|mts|js|mjs|py|md|json)$/;
/** Recorded answers, and what is about the forms of citations itself. */
const leftOut = /^test\/(?:fixtures|docs\/(?:find-citations|citations\.test))/;
/** Where the words need no section: the wire reference itself, and pages that link to it. */
const mayName = /^(?:docs\/|[A-Z]+\.md$)/;

async function readSpec(): Promise<Map<string, Sections>> {
  const names = (await readdir('docs/spec')).filter((name) => name !== 'README.md');
  const pages = names.map(async (name) => {
    const text = await readFile(join('docs/spec', name), 'utf8');
    return [name.replace('.md', ''), readSections(text)] as const;
  });
  return new Map(await Promise.all(pages));
}

async function readTree(): Promise<Citation[]> {
  const spec = await readSpec();
  const listed = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })));
  const inFolders = listed.flat().filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'));
  const paths = inFolders.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => read.test(path));
  const files = [...documents, ...paths].filter((path) => !leftOut.test(path));
  const found = await Promise.all(files.map(async (file) => findCitations(file, await readFile(file, 'utf8'), spec)));
  return found.flat().filter(({ file, text }) => !(mayName.test(file) && /^interface document$/i.test(text)));
}

describe('citations of the wire reference', () => {
  it('lead to a section of docs/spec, in code, tests and documents', async () => {
    const citations = await readTree();
    expect(citations.filter(({ fault }) => fault === undefined).length).toBeGreaterThan(500);
    const faults = citations.flatMap(({ file, line, text, fault }) =>
      fault === undefined ? [] : [`${file}:${line}: "${text}": ${fault}`],
    );
    expect(faults).toEqual([]);
  });
});

describe('the search for citations', () => {
  const page =
    '## 1. One\n\n### 1.1 Two\n\nA. Part\n\n1. step\n2. step\n\n### 1.2 to 1.4 Some\n\n| 7 | row |\n\n## Appendix A. Facts\n\n3. fact\n';
  const spec = new Map([
    ['dids', readSections(page)],
    ['interface', readSections(page)],
  ]);
  const faults = (text: string) => findCitations('x.ts', text, spec).filter(({ fault }) => fault !== undefined);

  it.each([
    'spec/dids.md 1.1',
    '(dids 1.1, 1.3)',
    'spec/dids.md 1.1 A2, 1.1 step 2',
    '(dids 1.2 to 1.4)',
    'spec/dids.md 1.3 #7',
    '(dids appendix A #3)',
    '/**\n * Text (spec/dids.md\n * 1.1).',
    'the interface document (spec/interface.md 1)',
  ])('finds the section of %j', (text) => {
    expect(faults(text)).toEqual([]);
    expect(findCitations('x.ts', text, spec)).not.toEqual([]);
  });

  it.each([
    'spec/dids.md 2.1',
    '(dids 1.1, 1.5)',
    'spec/dids.md 1.1 A3',
    'spec/dids.md 1.1 B',
    '(dids 1.1 to 1.9)',
    'spec/dids.md 1.3 #8',
    '(dids appendix B)',
    '(dids 1.1 and 1.2)',
    'dids.md 1.1',
    '/**\n * Text (spec/dids.md\n * 9).',
    'the table is written at once (design 4)',
    'its budget (design, 3)',
    'as the interface document says',
    'the interface\n * document says so',
    'part 4 of the interface',
    '§ 4',
    '(appendix A)',
    "it('takes a wrapped body (1.1)', () => {})",
  ])('names the line of %j', (text) => {
    const [fault] = faults(`\n${text}`);
    expect(fault?.file).toBe('x.ts');
    expect(fault?.line).toBeGreaterThan(1);
  });
});
