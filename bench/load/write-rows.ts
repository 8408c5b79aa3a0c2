import { times, type Catalogue } from './catalogue.ts';
import { post } from './requests.ts';
import type { NextRequest, Row, RowContext } from './row.ts';

/** Many writers that change the same item. */
const manyConnections = [8, 32];
/** Requests of a thousand files use up processors and memory with more. */
const bulkConnections = [1, 4];
const minBulkRequests = 3;
/** New datasets in one request. */
const datasetsPerRequest = 500;

/** Operations that write. They write into a scope of their own, so that those that read find the same in each run. */
export function listWriteRows(catalogue: Catalogue): Row[] {
  return [...smallRows, ...sharedRows, ...listAttachRows(catalogue), ...listBulkRows(catalogue)];
}

const smallRows: readonly Row[] = [
  { name: 'create dataset', next: (requests) => requests.createDataset() },
  { name: 'create file + replica', next: (requests) => requests.registerFiles(1) },
  { name: 'set metadata, 1 JSON key', next: (requests) => requests.setMetadata() },
];

/** Writers that meet at one item. */
const sharedRows: readonly Row[] = [
  {
    name: 'set metadata, one shared DID',
    connections: manyConnections,
    prepare: async (context) => {
      const [name = ''] = await createDatasets(context, 1);
      const path = context.requests.runPath(name, '/meta');
      await context.client.mustCall(post(path, { meta: { bench_first: 0 } }));
      const counts = times(context.connections, () => 0);
      return (connection) => {
        const value = advance(counts, connection);
        return post(path, { meta: { [`bench_writer${connection}`]: `v${value}` } });
      };
    },
  },
  {
    name: 'create file + replica, one shared RSE',
    connections: manyConnections,
    prepare: async ({ requests }) => {
      const rse = requests.catalogue.rse(0);
      return () => requests.registerFiles(1, rse);
    },
  },
];

function listAttachRows(catalogue: Catalogue): Row[] {
  const { filesToAttach, size } = catalogue;
  const perBulk = Math.min(100, size.filesPerDataset);
  return [
    { name: 'attach 1 file', prepare: attachOneByOne },
    {
      name: 'attach 1 file, one shared dataset',
      connections: manyConnections,
      prepare: async (context) => {
        const [dataset = ''] = await createDatasets(context, 1);
        let next = 0;
        return () => {
          if (next === filesToAttach) return undefined;
          next += 1;
          return context.requests.attach(dataset, [catalogue.fileToAttach(next - 1)]);
        };
      },
    },
    {
      name: `attach ${perBulk} files`,
      units: perBulk,
      prepare: async (context) => {
        const datasets = await createDatasets(context, size.datasetsToFill);
        // Each dataset takes as many requests as it takes to attach the files of another one.
        const rounds = Math.floor(size.filesPerDataset / perBulk);
        let next = 0;
        return () => {
          const [round, index] = [Math.floor(next / datasets.length), next % datasets.length];
          next += 1;
          if (round >= rounds) return undefined;
          const first = index * size.filesPerDataset + round * perBulk;
          const files = times(perBulk, (each) => catalogue.fileToAttach(first + each));
          return context.requests.attach(datasets[index] ?? '', files);
        };
      },
    },
    { name: 'detach 1 file', prepare: (context) => detachOneByOne(context, catalogue) },
  ];
}

/** Attaches single files, each connection to a dataset of its own. */
export async function attachOneByOne(context: RowContext): Promise<NextRequest> {
  const { catalogue } = context.requests;
  const datasets = await createDatasets(context, context.connections);
  const counts = times(context.connections, () => 0);
  return (connection) => {
    const index = advance(counts, connection);
    if (index >= catalogue.filesToAttach) return undefined;
    const file = catalogue.fileToAttach(connection * catalogue.size.filesPerDataset + index);
    return context.requests.attach(datasets[connection] ?? '', [file]);
  };
}

/** Detaches single files, each connection from a dataset of its own. */
async function detachOneByOne(context: RowContext, catalogue: Catalogue): Promise<NextRequest> {
  const { client, connections, requests } = context;
  const { filesPerDataset } = catalogue.size;
  const each = Math.min(filesPerDataset, Math.max(100, Math.floor(4_000 / connections)));
  const datasets = await createDatasets(context, connections);
  const fileOf = (connection: number, index: number) => catalogue.fileToAttach(connection * filesPerDataset + index);
  for (const [connection, dataset] of datasets.entries()) {
    await client.mustCall(
      requests.attach(
        dataset,
        times(each, (index) => fileOf(connection, index)),
      ),
    );
  }
  const counts = times(connections, () => 0);
  return (connection) => {
    const index = advance(counts, connection);
    if (index >= each) return undefined;
    const path = requests.runPath(datasets[connection] ?? '', '/dids');
    return { method: 'DELETE', path, body: { dids: [fileOf(connection, index)] } };
  };
}

function listBulkRows(catalogue: Catalogue): Row[] {
  const units = catalogue.size.filesPerDataset;
  const bulk = { connections: bulkConnections, minRequests: minBulkRequests, units };
  const many = units.toLocaleString('en');
  return [
    {
      ...bulk,
      name: `bulk create ${many} datasets`,
      next: (requests) => post('/dids', newDatasets(catalogue, requests.newName('bulk'), units)),
    },
    {
      ...bulk,
      name: `bulk add ${many} files + replicas`,
      next: (requests) => requests.registerFiles(units),
    },
    {
      ...bulk,
      name: `bulk attach ${many} files`,
      prepare: (context) =>
        forEachDataset(context, (dataset, index) => {
          const first = (index % 10) * units;
          return context.requests.attach(
            dataset,
            times(units, (each) => catalogue.fileToAttach(first + each)),
          );
        }),
    },
    {
      ...bulk,
      name: `${many} files registered and attached`,
      prepare: (context) => forEachDataset(context, (dataset) => context.requests.registerAndAttach(dataset, units)),
    },
  ];
}

/** One request for each of many new datasets. */
async function forEachDataset(
  context: RowContext,
  makeRequest: (dataset: string, index: number) => ReturnType<NextRequest>,
): Promise<NextRequest> {
  const datasets = (await createDatasets(context, context.requests.catalogue.size.datasetsToFill)).entries();
  return () => {
    const next = datasets.next();
    return next.done === true ? undefined : makeRequest(next.value[1], next.value[0]);
  };
}

/** Creates empty datasets in the scope of the run, and returns their names. */
export async function createDatasets({ client, requests }: RowContext, count: number): Promise<string[]> {
  const name = requests.newName('for');
  const dids = newDatasets(requests.catalogue, name, count);
  for (let from = 0; from < count; from += datasetsPerRequest) {
    await client.mustCall(post('/dids', dids.slice(from, from + datasetsPerRequest)));
  }
  return dids.map((did) => did.name);
}

function newDatasets(catalogue: Catalogue, name: string, count: number) {
  return times(count, (index) => ({ scope: catalogue.runScope, name: `${name}.${index}`, type: 'DATASET' }));
}

/** The count of a connection, which then is one more. */
function advance(counts: number[], connection: number): number {
  const count = counts[connection] ?? 0;
  counts[connection] = count + 1;
  return count;
}
