import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { PageFiles } from '../../lib/contract/page-files.ts';
import { projectRoot } from '../project-root.ts';

interface CachedPage {
  readonly page: PageFiles;
  /** Size and time of each source. */
  readonly inputs: Readonly<Record<string, string>>;
}

const cacheFile = join(projectRoot, 'node_modules/.cache/page/page.json');

let cached: CachedPage | undefined;
let building: Promise<PageFiles> | undefined;

/**
 * The page for browsers, built from its present sources. The result is kept in memory and, between starts, in
 * `node_modules/.cache`, so that a build happens only after a change.
 *
 * @throws Error of esbuild for a mistake in the sources.
 */
export function loadPage(): Promise<PageFiles> {
  building ??= loadOnce().finally(() => {
    building = undefined;
  });
  return building;
}

async function loadOnce(): Promise<PageFiles> {
  cached ??= await readCache();
  if (cached !== undefined && (await isCurrent(cached))) return cached.page;
  const { buildPage } = await import('../build-page.ts');
  const { page, inputs } = await buildPage();
  cached = { page, inputs: await markInputs(inputs) };
  await writeCache(cached);
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

async function readCache(): Promise<CachedPage | undefined> {
  try {
    return JSON.parse(await readFile(cacheFile, 'utf8')) as CachedPage;
  } catch {
    return undefined;
  }
}

/** Writes beside and renames, since another server may read at the same time. */
async function writeCache(content: CachedPage): Promise<void> {
  const draft = `${cacheFile}.${process.pid}`;
  await mkdir(dirname(cacheFile), { recursive: true });
  await writeFile(draft, JSON.stringify(content));
  await rename(draft, cacheFile);
}
