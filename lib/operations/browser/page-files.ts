import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type PageFile, type PageFiles, pageFileName } from '../../contract/page-files.ts';
import { fail } from '../../errors.ts';

let load = readBundledFiles;

/** Sets where the page comes from; for the local server, which builds it on demand. */
export function setPageSource(source: () => Promise<PageFiles>): void {
  load = source;
}

/** The page and its files as they are now. */
export function loadPageFiles(): Promise<PageFiles> {
  return load();
}

/**
 * A file of the page.
 *
 * @throws NotFound (404).
 */
export async function findPageFile(name: string): Promise<PageFile> {
  const { files } = await load();
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  return file ?? fail('NotFound', 'The requested URL was not found on the server.');
}

let bundled: Promise<PageFiles> | undefined;

function readBundledFiles(): Promise<PageFiles> {
  bundled ??= readFile(join(import.meta.dirname, pageFileName), 'utf8').then((text) => JSON.parse(text) as PageFiles);
  return bundled;
}
