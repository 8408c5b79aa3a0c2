import type { Context } from '../../lib/domain/values/context.ts';
import { addScope } from '../../lib/operations/accounts/add-scope.ts';
import { addDid } from '../../lib/operations/dids/add-dids.ts';
import { listFiles } from '../../lib/operations/dids/list-content.ts';
import { listScope } from '../../lib/operations/dids/list-scope.ts';
import { search } from '../../lib/operations/dids/search.ts';
import type { Bench } from './bench.ts';

const scope = 'trees';
const did = (name: string) => ({ scope, name });

/** Another scope, with 10,000 files in one dataset. */
export const manyFiles = { scope: 'many', files: 10_000, collections: 0, seed: 2 } as const;

const files = Array.from({ length: 1_000 }, (_value, index) => ({
  ...did(`leaf.${String(index).padStart(4, '0')}`),
  bytes: 1_048_576,
  adler32: '0cc737eb',
}));

/** A container of 4 containers of 4 datasets each, with 1,000 files in all: 1,021 DIDs. */
export async function seedTrees(asRoot: () => Context): Promise<void> {
  await addScope(asRoot(), { scope, account: 'root' });
  await addScope(asRoot(), { scope: manyFiles.scope, account: 'root' });
  for (let branch = 0; branch < 4; branch += 1) {
    const twigs = Array.from({ length: 4 }, (_value, index) => branch * 4 + index);
    for (const twig of twigs) {
      const own = files.filter((_file, index) => index % 16 === twig);
      await addDid(asRoot(), did(`twig.${twig}`), { type: 'DATASET', rse: 'BENCH_DISK', dids: own });
    }
    const dids = twigs.map((twig) => did(`twig.${twig}`));
    await addDid(asRoot(), did(`branch.${branch}`), { type: 'CONTAINER', dids });
  }
  const dids = Array.from({ length: 4 }, (_value, branch) => did(`branch.${branch}`));
  await addDid(asRoot(), did('tree'), { type: 'CONTAINER', dids });
}

async function expectRows(rows: AsyncIterable<unknown>, expected: number): Promise<void> {
  const found = (await Array.fromAsync(rows)).length;
  if (found !== expected) throw new Error(`${found} rows instead of ${expected}`);
}

/** One query a collection, and the pages of the table: an edge is 160 to 190 bytes. */
const recursion = { rru: 75, wru: 0 };

/** Operations that walk down trees of containers. */
export const treeBenches: readonly Bench[] = [
  {
    what: 'list a nested container of 1,021 DIDs recursively',
    run: (context) => expectRows(listScope(context, scope, { name: 'tree', recursive: true }), 1_020),
    budget: recursion,
    floor: { rru: 42 },
  },
  {
    what: 'list the 1,000 files of that container',
    run: (context) => expectRows(listFiles(context, did('tree'), false), 1_000),
    budget: recursion,
    floor: { rru: 42 },
  },
  {
    what: 'search recursively in that container, 1,021 DIDs',
    run: (context) =>
      expectRows(
        search(context, scope, { name: 'tree', type: 'all' }, { long: false, recursive: true, explain: false }),
        1_021,
      ),
    // Each DID is read besides its edge.
    budget: { rru: 75 + 1_021, wru: 0 },
  },
  {
    what: 'list 10,000 files of a dataset',
    run: (context) => expectRows(listFiles(context, { scope: manyFiles.scope, name: 'everything' }, false), 10_000),
    budget: { roundTrips: 4, rru: 400, wru: 0 },
    floor: { rru: 370 },
  },
];
