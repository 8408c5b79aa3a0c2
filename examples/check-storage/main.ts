import { access } from 'node:fs/promises';
import { join } from 'node:path';

import { Catalogue } from '../register-tree/catalogue.ts';
import { type Corrupt, findCorrupt } from './checksums.ts';
import { compareStorage, type Differences, type DumpedReplica } from './compare.ts';
import { readListing, walkFolder } from './listing.ts';
import { type Options, readOptions, usage } from './options.ts';

/** Replicas or paths in one request. */
const perRequest = 1_000;

/** A storage that lacks, or has beyond the catalogue, a greater part than this was probably not listed as a whole. */
const maxPart = 0.1;

try {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === undefined) console.log(usage);
  else process.exitCode = await checkStorage(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}

/** Compares, reports and acts; returns 1 if differences are left that it has not acted on. */
async function checkStorage(options: Options): Promise<number> {
  const { rse, folder, listing, prefix, listedAt, minAgeMs, login } = options;
  const catalogue = await Catalogue.login(login);
  // A wrong name shows before hours are spent on a large storage.
  await catalogue.get(`/rses/${encodeURIComponent(rse)}`);
  const storage =
    listing === undefined ? walkFolder(folder ?? '.', listedAt) : await readListing(listing, { prefix, listedAt });
  const dump = () => catalogue.lines<DumpedReplica>(`/replicas/dump?rse=${encodeURIComponent(rse)}`);
  const differences = await compareStorage(storage, dump, minAgeMs);
  const corrupt = options.sums ? await findCorrupt(folder ?? '.', differences.present) : [];
  for (const line of describe(differences, options.sums ? corrupt : undefined)) console.log(line);
  const wrong = [...differences.differing, ...corrupt].map(({ replica }) => replica);
  const acted = [
    await declareLost(catalogue, options, differences),
    await declareCorrupt(catalogue, options, wrong, differences.replicas),
    await quarantine(catalogue, options, differences),
  ];
  return acted.every(Boolean) ? 0 : 1;
}

function describe({ replicas, files, lost, differing, dark }: Differences, corrupt?: readonly Corrupt[]): string[] {
  return [
    ...lost.map(({ scope, name, path }) => `lost\t${scope}:${name}\t${path}`),
    ...differing.map(({ replica: { scope, name, bytes: expected }, bytes }) =>
      [`size`, `${scope}:${name}`, `${bytes} bytes instead of ${expected}`].join('\t'),
    ),
    ...(corrupt ?? []).map(({ replica: { scope, name }, found }) => `corrupt\t${scope}:${name}\t${found}`),
    ...dark.map(({ path, bytes }) => `dark\t${path}${bytes === undefined ? '' : `\t${bytes} bytes`}`),
    [
      `${replicas} replicas, ${files} files: ${lost.length} lost, ${differing.length} of another size`,
      ...(corrupt === undefined ? [] : [`${corrupt.length} of another content`]),
      `${dark.length} dark`,
    ].join(', '),
  ];
}

/** Declares lost replicas bad, if asked to; returns whether none is left. */
async function declareLost(
  catalogue: Catalogue,
  options: Options,
  { lost: missing, replicas, files }: Differences,
): Promise<boolean> {
  if (missing.length === 0 || !options.declaresLost) return missing.length === 0;
  if (!isPlausible(options, missing.length, replicas, 'lost')) return false;
  if (files === 0) {
    console.log('There is no file at all: nothing done, since the storage may not be mounted, or was not listed.');
    return false;
  }
  const lost = await leaveOutPresent(options, missing);
  await declareBad(catalogue, options, lost, 'not on the storage');
  return true;
}

/** Declares replicas bad whose files have another size or content, if asked to; returns whether none is left. */
async function declareCorrupt(
  catalogue: Catalogue,
  options: Options,
  corrupt: readonly DumpedReplica[],
  replicas: number,
): Promise<boolean> {
  if (corrupt.length === 0 || !options.declaresCorrupt) return corrupt.length === 0;
  if (!isPlausible(options, corrupt.length, replicas, 'corrupt')) return false;
  await declareBad(catalogue, options, corrupt, 'another size or content on the storage');
  return true;
}

async function declareBad(
  catalogue: Catalogue,
  { rse }: Options,
  replicas: readonly DumpedReplica[],
  reason: string,
): Promise<void> {
  for (const chunk of chunksOf(replicas)) {
    await catalogue.post('/replicas/bad', { replicas: chunk.map(({ scope, name }) => ({ scope, name, rse })), reason });
  }
  console.log(`${replicas.length} replicas declared bad`);
}

/** Looks again: comparing takes time, in which a file may have been uploaded anew. Only a folder can be looked at. */
async function leaveOutPresent({ folder }: Options, missing: Differences['lost']): Promise<Differences['lost']> {
  if (folder === undefined) return missing;
  const isThere = async (path: string) =>
    access(join(folder, path)).then(
      () => true,
      () => false,
    );
  const found = await Promise.all(missing.map(async ({ path }) => path !== null && (await isThere(path))));
  return missing.filter((_replica, index) => found[index] !== true);
}

/** Puts dark files into quarantine, if asked to; returns whether none is left. */
async function quarantine(catalogue: Catalogue, options: Options, { dark, files }: Differences): Promise<boolean> {
  if (dark.length === 0 || !options.quarantines) return dark.length === 0;
  if (!isPlausible(options, dark.length, files, 'dark')) return false;
  for (const chunk of chunksOf(dark)) {
    await catalogue.post('/replicas/quarantine', { rse: options.rse, replicas: chunk.map(({ path }) => ({ path })) });
  }
  console.log(`${dark.length} files in quarantine`);
  return true;
}

function isPlausible({ all }: Options, count: number, total: number, what: string): boolean {
  if (all || count <= maxPart * total) return true;
  console.log(
    `${count} of ${total} ${what}: nothing done, since the listing may be incomplete. --all does it all the same.`,
  );
  return false;
}

function chunksOf<T>(rows: readonly T[]): T[][] {
  const count = Math.ceil(rows.length / perRequest);
  return Array.from({ length: count }, (_none, index) => rows.slice(index * perRequest, (index + 1) * perRequest));
}
