import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type PageFile, pageFileName, type PageFiles, type PageName } from '../../contract/page-files.ts';
import { fail } from '../../errors.ts';
import { parseNamed } from '../../json-names.ts';

const sources = new Map<PageName, () => Promise<PageFiles>>();

/** Sets where a page comes from; for the local server, which builds it on demand. */
export function setPageSource(name: PageName, source: () => Promise<PageFiles>): void {
  sources.set(name, source);
}

/** A page and its files as they are now. */
export function loadPageFiles(name: PageName): Promise<PageFiles> {
  return (sources.get(name) ?? readBundledFiles)();
}

/**
 * A file of a page.
 *
 * @throws NotFound (404).
 */
export async function findPageFile(page: PageName, name: string): Promise<PageFile> {
  const { files } = await loadPageFiles(page);
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  return file ?? fail('NotFound', 'The requested URL was not found on the server.');
}

let bundled: Promise<PageFiles> | undefined;

/** A deployed function has one page beside its bundle. */
function readBundledFiles(): Promise<PageFiles> {
  bundled ??= readFile(join(import.meta.dirname, pageFileName), 'utf8').then((text) => parseNamed(text) as PageFiles);
  return bundled;
}
