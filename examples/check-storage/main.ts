import { Catalogue } from '../register-tree/catalogue.ts';
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
  const storage =
    listing === undefined ? walkFolder(folder ?? '.', listedAt) : await readListing(listing, { prefix, listedAt });
  const dump = () => catalogue.lines<DumpedReplica>(`/replicas/dump?rse=${encodeURIComponent(rse)}`);
  const differences = await compareStorage(storage, dump, minAgeMs);
  for (const line of describe(differences)) console.log(line);
  const acted = [await declareLost(catalogue, options, differences), await quarantine(catalogue, options, differences)];
  return acted.every(Boolean) && differences.differing.length === 0 ? 0 : 1;
}

function describe({ replicas, files, lost, differing, dark }: Differences): string[] {
  return [
    ...lost.map(({ scope, name, path }) => `lost\t${scope}:${name}\t${path}`),
    ...differing.map(({ replica: { scope, name, bytes: expected }, bytes }) =>
      [`size`, `${scope}:${name}`, `${bytes} bytes instead of ${expected}`].join('\t'),
    ),
    ...dark.map(({ path, bytes }) => `dark\t${path}${bytes === undefined ? '' : `\t${bytes} bytes`}`),
    `${replicas} replicas, ${files} files: ${lost.length} lost, ${differing.length} of another size, ${dark.length} dark`,
  ];
}

/** Declares lost replicas bad, if asked to; returns whether none is left. */
async function declareLost(catalogue: Catalogue, options: Options, { lost, replicas }: Differences): Promise<boolean> {
  if (lost.length === 0 || !options.declaresLost) return lost.length === 0;
  if (!isPlausible(options, lost.length, replicas, 'lost')) return false;
  for (const chunk of chunksOf(lost)) {
    const bad = chunk.map(({ scope, name }) => ({ scope, name, rse: options.rse }));
    await catalogue.post('/replicas/bad', { replicas: bad, reason: 'not on the storage' });
  }
  console.log(`${lost.length} replicas declared bad`);
  return true;
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
