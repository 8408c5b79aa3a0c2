import { basename, resolve } from 'node:path';

import { Catalogue } from './catalogue.ts';
import type { Options } from './options.ts';
import { listTree, measureFile, type TreeFile } from './tree.ts';

/** The largest attachment request. */
const filesPerRequest = 1000;

/** Numbers of registered files and datasets of a scope. */
interface Registration {
  readonly scope: string;
  /** The container of all datasets. */
  readonly name: string;
  readonly datasets: { scope: string; name: string }[];
  readonly files: Map<string, TreeFile>;
}

/**
 * Registers a folder in the catalogue: each file with its size and checksums, one dataset for each top-level folder,
 * one container for everything. Then lists it again.
 *
 * @returns whether the list agrees with the folder.
 */
export async function registerTree(options: Options): Promise<boolean> {
  const { scope, rse, login } = options;
  const root = resolve(options.folder);
  const name = options.name ?? `${basename(root).replaceAll(/[^A-Za-z0-9]/g, '')}.${Date.now()}`;
  const paths = await listTree(root);
  const catalogue = await Catalogue.login(login);
  await catalogue.ensure(`/accounts/${login.account}/scopes/${scope}`);
  await catalogue.ensure(`/rses/${rse}`);

  const started = performance.now();
  const made: Registration = { scope, name, datasets: [], files: new Map() };
  await register(catalogue, made, { root, rse, paths });
  const seconds = (performance.now() - started) / 1000;
  process.stdout.write('\n');
  console.log(`registered in ${seconds.toFixed(1)} s, ${Math.round(paths.length / seconds)} files a second`);
  return (await compare(catalogue, made)) && made.files.size === paths.length;
}

async function register(
  catalogue: Catalogue,
  { scope, name, datasets, files: registered }: Registration,
  { root, rse, paths }: { root: string; rse: string; paths: readonly string[] },
): Promise<void> {
  const groups = Map.groupBy(paths, (path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : 'top'));
  console.log(`registering ${paths.length} files of ${root} as ${scope}:${name} in ${groups.size} datasets`);
  for (const [top, members] of groups) {
    const dataset = `${name}.${top.replaceAll(/[^A-Za-z0-9.\-_]/g, '_')}.ds`;
    await catalogue.post(`/dids/${scope}/${encodeURIComponent(dataset)}`, { type: 'DATASET' });
    datasets.push({ scope, name: dataset });
    for (let start = 0; start < members.length; start += filesPerRequest) {
      const files = await Promise.all(
        members.slice(start, start + filesPerRequest).map((path) => measureFile(root, path, name)),
      );
      const dids = files.map((file) => ({ scope, ...file }));
      await catalogue.post(`/dids/${scope}/${encodeURIComponent(dataset)}/dids`, { dids, rse });
      for (const file of files) registered.set(file.name, file);
      showProgress(registered.size, paths.length);
    }
  }
  await catalogue.post(`/dids/${scope}/${name}`, { type: 'CONTAINER' });
  for (let start = 0; start < datasets.length; start += filesPerRequest) {
    await catalogue.post(`/dids/${scope}/${name}/dids`, { dids: datasets.slice(start, start + filesPerRequest) });
  }
}

/** Lists what was registered, and prints the totals. Returns whether they and all checksums agree. */
async function compare(catalogue: Catalogue, { scope, name, datasets, files }: Registration): Promise<boolean> {
  const listed = new Map<string, { bytes: number; adler32: string }>();
  for await (const file of catalogue.lines<{ name: string; bytes: number; adler32: string }>(
    `/dids/${scope}/${name}/files`,
  )) {
    listed.set(file.name, file);
  }
  let differences = [...listed.keys()].filter((key) => !files.has(key)).length;
  for (const dataset of datasets) {
    for await (const { name: key, bytes, adler32, md5 } of catalogue.lines<TreeFile>(
      `/dids/${scope}/${encodeURIComponent(dataset.name)}/dids`,
    )) {
      const file = files.get(key);
      const same = file?.bytes === bytes && file.adler32 === adler32 && file.md5 === md5;
      if (!same || listed.get(key)?.adler32 !== adler32) differences += 1;
    }
  }
  const total = files.values().reduce((sum, { bytes }) => sum + bytes, 0);
  const container = await catalogue.get<{ length: number; bytes: number }>(`/dids/${scope}/${name}?dynamic=True`);
  console.log(`file system: ${files.size} files, ${total} bytes`);
  console.log(`catalogue:   ${container.length} files, ${container.bytes} bytes, ${listed.size} listed recursively`);
  console.log(`checksums:   ${differences} differences`);
  return (
    differences === 0 && listed.size === files.size && container.length === files.size && container.bytes === total
  );
}

function showProgress(done: number, all: number): void {
  const width = 40;
  const filled = Math.round((done / all) * width);
  process.stdout.write(`\r[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${all} files`);
}
