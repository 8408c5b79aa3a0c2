import { datasetsPerContainer, type Catalogue } from './catalogue.ts';
import { get } from './requests.ts';
import type { Row } from './row.ts';

/** Large answers are measured with fewer connections. */
const fewConnections = [1, 8];

/** Operations that read. */
export function listReadRows(catalogue: Catalogue): Row[] {
  return [...listDidRows(catalogue), ...listSearchRows(catalogue), ...listReplicaRows(catalogue), ...fleetRows];
}

function listDidRows(catalogue: Catalogue): Row[] {
  const { size, dataScope, largeDataset, largeFiles, datasets } = catalogue;
  const filesOfContainer = datasetsPerContainer * size.filesPerDataset;
  return [
    { name: 'ping', next: () => get('/ping') },
    {
      name: 'token login (userpass)',
      prepare:
        async ({ client }) =>
        () =>
          client.loginRequest(),
    },
    { name: 'get DID', next: (requests) => requests.getDid() },
    { name: 'get DID metadata', next: (requests) => requests.getMetadata() },
    { name: 'get DID metadata, all plugins', next: (requests) => requests.getMetadataOfAllPlugins() },
    { name: 'parents of a file', next: (requests) => requests.listParents() },
    { name: `list content ${count(size.filesPerDataset)} files`, next: (requests) => requests.listContent() },
    ...when(largeFiles > 0, {
      name: `list content ${count(largeFiles)} files`,
      connections: fewConnections,
      next: () => get(`/dids/${dataScope}/${largeDataset}/dids`, largeFiles),
    }),
    ...when(datasets >= datasetsPerContainer, {
      name: `list files of a container, ${count(filesOfContainer)}`,
      connections: fewConnections,
      next: (requests) => {
        const container = catalogue.container(requests.below(Math.floor(datasets / datasetsPerContainer)));
        return get(`/dids/${dataScope}/${container}/files`, filesOfContainer);
      },
    }),
  ];
}

function listSearchRows(catalogue: Catalogue): Row[] {
  const { hits } = catalogue.size;
  const found = `${hits} hits`;
  return [
    {
      name: `search by prefix, ${hits} of ${count(catalogue.searchedDatasets)}`,
      next: (requests) => requests.searchByName(),
    },
    {
      name: `search by column metadata, ${found}`,
      next: (requests) => requests.searchByMetadata(({ run_number }) => ({ run_number })),
    },
    {
      name: `search by JSON metadata, ${found}`,
      next: (requests) => requests.searchByMetadata(({ bench_group }) => ({ bench_group })),
    },
    {
      name: `search by any JSON key, ${found}`,
      next: (requests) => requests.searchByMetadata(({ bench_tag }) => ({ bench_tag })),
    },
    {
      name: `search by a range of numbers, ${found}`,
      next: (requests) =>
        requests.searchByMetadata(({ bench_group }) => ({
          'bench_group.gte': bench_group,
          'bench_group.lt': bench_group + 1,
        })),
    },
    {
      name: `search recursive, ${count(catalogue.treeSize + 1)} nested DIDs`,
      connections: fewConnections,
      next: (requests) => requests.searchRecursively(),
    },
    {
      name: `scope listing recursive, ${count(catalogue.treeSize)} DIDs`,
      connections: fewConnections,
      next: (requests) => requests.listScopeRecursively(),
    },
  ];
}

function listReplicaRows(catalogue: Catalogue): Row[] {
  const { size, largeDataset, largeFiles } = catalogue;
  return [
    { name: 'list_replicas 1 file', next: (requests) => requests.listReplicasOfFile() },
    {
      name: `list_replicas ${count(size.filesPerDataset)} files`,
      next: (requests) => requests.listReplicasOfDataset(),
    },
    ...when(largeFiles > 0, {
      name: `list_replicas ${count(largeFiles)} files`,
      connections: fewConnections,
      next: (requests) => requests.listReplicas(largeDataset, largeFiles),
    }),
    { name: 'RSE list, expression', next: (requests) => requests.listRsesByExpression() },
    { name: `RSE list, all ${size.rses}`, next: (requests) => requests.listRses() },
    { name: 'get RSE', next: (requests) => requests.getRse() },
    { name: 'lfns2pfns 100', next: (requests) => requests.listPfns(100) },
    { name: `subscriptions list (${size.subscriptions})`, next: (requests) => requests.listSubscriptions() },
  ];
}

const fleetRows: readonly Row[] = [
  { name: 'config get option', next: (requests) => requests.getConfigOption() },
  { name: 'config get all', next: () => get('/config') },
];

function when(holds: boolean, row: Row): Row[] {
  return holds ? [row] : [];
}

function count(number: number): string {
  return number.toLocaleString('en');
}
