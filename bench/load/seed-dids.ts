import { times, type Catalogue } from './catalogue.ts';
import { post } from './requests.ts';
import { chunks, type SeedPhase, type SeedStep } from './seed-steps.ts';

/** Collections without files. */
export function listDidPhases(catalogue: Catalogue): SeedPhase[] {
  const { size, dataScope, searchScope } = catalogue;
  const [treeContainers, treeDatasets] = size.tree;
  const dataset = (scope: string, name: string, extra: object = {}) => ({ scope, name, type: 'DATASET', ...extra });
  const container = (scope: string, name: string) => ({ scope, name, type: 'CONTAINER' });
  const bulk = (key: string, count: number, makeDid: (index: number) => object): SeedStep[] =>
    chunks(count, size.filesPerDataset).map(([from, to]) => ({
      key: `${key} ${from}`,
      units: to - from,
      request: () =>
        post(
          '/dids',
          times(to - from, (index) => makeDid(from + index)),
        ),
    }));
  const containers = [
    container(searchScope, catalogue.treeTop),
    ...times(treeContainers, (index) => container(searchScope, catalogue.treeContainer(index))),
    ...times(catalogue.containers, (index) => container(dataScope, catalogue.container(index))),
  ];
  return [
    {
      name: 'bulk DIDs, no metadata',
      steps: bulk('named', catalogue.namedDatasets, (index) => dataset(searchScope, catalogue.namedDataset(index))),
    },
    {
      name: 'bulk DIDs, 4 metadata keys',
      steps: bulk('described', catalogue.describedDatasets, (index) =>
        dataset(searchScope, catalogue.describedDataset(index), {
          meta: catalogue.metadataOf(index % size.metadataGroups),
        }),
      ),
    },
    {
      name: 'bulk DIDs, nested tree',
      steps: [
        { key: 'tree', units: containers.length, request: () => post('/dids', containers) },
        ...bulk('leaves', treeContainers * treeDatasets, (index) =>
          dataset(searchScope, catalogue.treeDataset(Math.floor(index / treeDatasets), index % treeDatasets)),
        ),
      ],
    },
    {
      name: 'datasets for files',
      steps: [
        ...bulk('datasets', catalogue.datasets, (index) => dataset(dataScope, catalogue.dataset(index))),
        ...bulk('large', catalogue.largeFiles > 0 ? 1 : 0, () => dataset(dataScope, catalogue.largeDataset)),
      ],
    },
  ];
}
