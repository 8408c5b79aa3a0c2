import { readFile, writeFile } from 'node:fs/promises';

/**
 * Replaces a part of a document that a program writes: what lies between `<!-- <mark> -->` and the next `<!-- end -->`.
 *
 * @throws Error if the document lacks the marks.
 */
export async function writeMarkedPart(path: string, mark: string, text: string): Promise<void> {
  const [start, end] = [`<!-- ${mark} -->`, '<!-- end -->'];
  const page = await readFile(path, 'utf8');
  const before = page.indexOf(start);
  const after = page.indexOf(end, before);
  if (before === -1 || after === -1) throw new Error(`${path} lacks ${start} ... ${end}`);
  await writeFile(path, `${page.slice(0, before)}${start}\n\n${text}\n\n${page.slice(after)}`);
}
