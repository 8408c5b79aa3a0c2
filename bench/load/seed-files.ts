import { copies, datasetsPerContainer, fileEntry, times, type Catalogue } from './catalogue.ts';
import { post } from './requests.ts';
import { chunks, makeStep, type SeedPhase, type SeedStep } from './seed-steps.ts';

/** A dataset, or a part of the large one, that one request fills. */
interface FileSet {
  readonly dataset: string;
  readonly part: number;
  /** Decides the RSEs. */
  readonly index: number;
  readonly file: (index: number) => string;
}

/** DIDs that are attached to another one of their scope. */
interface Attachment {
  readonly scope: string;
  readonly parent: string;
  readonly count: number;
  readonly child: (index: number) => string;
}

/** Members of `metadata, single calls`. */
const maxSingleCalls = 100;

/** Files, their replicas, and what they are attached to. */
export function listFilePhases(catalogue: Catalogue): SeedPhase[] {
  const { dataScope, size } = catalogue;
  const count = size.filesPerDataset;
  const calls = `${count.toLocaleString('en')}/call`;
  const [usual, large] = [listDatasets(catalogue), listPartsOfLargeDataset(catalogue)];
  const fill = ({ dataset, part, file }: FileSet) =>
    attach(`files of ${dataset} ${part}`, { scope: dataScope, parent: dataset, count, child: file });
  const register = (copy: number) => [...usual, ...large].map((set) => registerFiles(catalogue, set, copy));
  return [
    { name: `files + 1st replica, ${calls}`, steps: register(0) },
    ...times(copies - 1, (index) => ({ name: `replica ${index + 2} of files, ${calls}`, steps: register(index + 1) })),
    { name: `attach files, ${calls}`, steps: usual.map(fill) },
    { name: `attach to one dataset, ${calls}`, isSerial: true, steps: large.map(fill) },
    { name: 'attach to containers', steps: [...listTreeSteps(catalogue), ...listContainerSteps(catalogue)] },
    { name: 'metadata, single calls', steps: listMetadataSteps(catalogue) },
  ];
}

function listDatasets(catalogue: Catalogue): FileSet[] {
  return times(catalogue.datasets, (index) => ({
    dataset: catalogue.dataset(index),
    part: 0,
    index,
    file: (file) => catalogue.file(index, file),
  }));
}

function listPartsOfLargeDataset(catalogue: Catalogue): FileSet[] {
  const each = catalogue.size.filesPerDataset;
  return times(catalogue.largeFiles / each, (part) => ({
    dataset: catalogue.largeDataset,
    part,
    index: 3,
    file: (file) => catalogue.largeFile(part * each + file),
  }));
}

function registerFiles(catalogue: Catalogue, { dataset, part, index, file }: FileSet, copy: number): SeedStep {
  const { dataScope, size } = catalogue;
  return {
    key: `replica ${copy} ${dataset} ${part}`,
    units: size.filesPerDataset,
    request: () => {
      const files = times(size.filesPerDataset, (each) => fileEntry(dataScope, file(each)));
      return post('/replicas', { rse: catalogue.rseOfCopy(index, copy), files, ignore_availability: true });
    },
  };
}

function listTreeSteps(catalogue: Catalogue): SeedStep[] {
  const { searchScope: scope, treeTop, size } = catalogue;
  const [containers, datasets] = size.tree;
  const child = (index: number) => catalogue.treeContainer(index);
  return [
    attach('tree top', { scope, parent: treeTop, count: containers, child }),
    ...times(containers, (index) => {
      const leaf = (each: number) => catalogue.treeDataset(index, each);
      return attach(`tree ${index}`, { scope, parent: catalogue.treeContainer(index), count: datasets, child: leaf });
    }),
  ];
}

function listContainerSteps(catalogue: Catalogue): SeedStep[] {
  return chunks(catalogue.datasets, datasetsPerContainer).map(([from, to], index) =>
    attach(`container ${index}`, {
      scope: catalogue.dataScope,
      parent: catalogue.container(index),
      count: to - from,
      child: (each) => catalogue.dataset(from + each),
    }),
  );
}

function listMetadataSteps(catalogue: Catalogue): SeedStep[] {
  return times(Math.min(catalogue.datasets, maxSingleCalls), (index) => {
    const meta = { project: `${catalogue.size.id}26`, run_number: 500_000 + index, bench_quality: index % 10 };
    const path = `/dids/${catalogue.dataScope}/${catalogue.dataset(index)}/meta`;
    return makeStep(`metadata ${index}`, post(path, { meta: { ...meta, bench_note: 'good' } }));
  });
}

function attach(key: string, { scope, parent, count, child }: Attachment): SeedStep {
  return {
    key,
    units: count,
    request: () =>
      post(`/dids/${scope}/${parent}/dids`, { dids: times(count, (index) => ({ scope, name: child(index) })) }),
  };
}
