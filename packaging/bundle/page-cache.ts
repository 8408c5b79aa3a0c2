import { readFile } from 'node:fs/promises';

import type { PageFiles, PageName } from '../../lib/contract/page-files.ts';

/* Stands in the package for local/page-cache.ts, which builds the pages from their sources. */

const pages = new Map<PageName, Promise<PageFiles>>();

/** A page for browsers, as it was built with the package. */
export function loadPage(name: PageName): Promise<PageFiles> {
  const page = pages.get(name) ?? readPage(name);
  pages.set(name, page);
  return page;
}

async function readPage(name: PageName): Promise<PageFiles> {
  return JSON.parse(await readFile(new URL(`../pages/${name}.json`, import.meta.url), 'utf8')) as PageFiles;
}
