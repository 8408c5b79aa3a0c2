import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { projectRoot } from '../infra/project-root.ts';
import type { PageFiles, PageName } from '../lib/contract/page-files.ts';

interface CachedPage {
  readonly page: PageFiles;
  /** Size and time of each source. */
  readonly inputs: Readonly<Record<string, string>>;
}

const cacheFolder = join(projectRoot, 'node_modules/.cache/page');

const cached = new Map<PageName, CachedPage>();
const building = new Map<PageName, Promise<PageFiles>>();

/**
 * A page for browsers, built from its present sources. The result is kept in memory and, between starts, in
 * `node_modules/.cache`, so that a build happens only after a change.
 *
 * @throws Error of esbuild for a mistake in the sources.
 */
export function loadPage(name: PageName): Promise<PageFiles> {
  const present = building.get(name) ?? loadOnce(name).finally(() => building.delete(name));
  building.set(name, present);
  return present;
}

async function loadOnce(name: PageName): Promise<PageFiles> {
  const known = cached.get(name) ?? (await readCache(name));
  if (known !== undefined && (await isCurrent(known))) {
    cached.set(name, known);
    return known.page;
  }
  const { buildPage } = await import('../infra/build-page.ts');
  const { page, inputs } = await buildPage(name);
  const built = { page, inputs: await markInputs(inputs) };
  cached.set(name, built);
  await writeCache(name, built);
  return page;
}

async function isCurrent({ inputs }: CachedPage): Promise<boolean> {
  const present = await markInputs(Object.keys(inputs)).catch(() => undefined);
  return present !== undefined && Object.entries(inputs).every(([path, mark]) => present[path] === mark);
}

async function markInputs(paths: readonly string[]): Promise<Record<string, string>> {
  const marks = paths.map(async (path) => {
    const { size, mtimeMs } = await stat(join(projectRoot, path));
    return [path, `${size} ${mtimeMs}`] as const;
  });
  return Object.fromEntries(await Promise.all(marks));
}

const cacheFile = (name: PageName) => join(cacheFolder, `${name}.json`);

async function readCache(name: PageName): Promise<CachedPage | undefined> {
  try {
    return JSON.parse(await readFile(cacheFile(name), 'utf8')) as CachedPage;
  } catch {
    return undefined;
  }
}

/** Writes beside and renames, since another server may read at the same time. */
async function writeCache(name: PageName, content: CachedPage): Promise<void> {
  const draft = `${cacheFile(name)}.${process.pid}`;
  await mkdir(cacheFolder, { recursive: true });
  await writeFile(draft, JSON.stringify(content));
  await rename(draft, cacheFile(name));
}
