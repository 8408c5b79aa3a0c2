import { hash } from 'node:crypto';

/** Sizes of the catalogue; the same numbers make the same catalogue on each server. */
export interface CatalogueSize {
  /** Begins all names, so that several catalogues can lie on one server. */
  readonly id: string;
  /** Files, rounded to whole datasets. */
  readonly files: number;
  readonly rses: number;
  /** Files of a dataset, and members of a bulk request. */
  readonly filesPerDataset: number;
  /** Datasets that a search finds. */
  readonly hits: number;
  /** Searches by name and by metadata that find different datasets. */
  readonly nameGroups: number;
  readonly metadataGroups: number;
  /** Containers below the top of the tree, and datasets in each of them. */
  readonly tree: readonly [containers: number, datasetsEach: number];
  readonly subscriptions: number;
  readonly configSections: number;
  /** New datasets that a row of writes prepares: more than it fills in its time. */
  readonly datasetsToFill: number;
}

/** The catalogue of the published figures, apart from its number of files. */
export const standardSize = {
  id: 'load',
  files: 20_000,
  rses: 200,
  filesPerDataset: 1_000,
  hits: 100,
  nameGroups: 100,
  metadataGroups: 20,
  tree: [20, 50],
  subscriptions: 20,
  configSections: 10,
  datasetsToFill: 400,
} as const satisfies CatalogueSize;

/** Replicas of a file. */
export const copies = 2;
/** Options in each section of the configuration. */
export const optionsPerSection = 5;
/** The large dataset holds so many times the files of another one. */
const partsOfLargeDataset = 10;
/** Datasets in a container of the other datasets. */
export const datasetsPerContainer = 10;
/** Scopes without DIDs beside those that are used. */
const emptyScopes = 17;

export interface Did {
  readonly scope: string;
  readonly name: string;
}

/** A file as it is registered. */
export interface FileEntry extends Did {
  readonly bytes: number;
  readonly adler32: string;
  readonly md5: string;
}

/** The names in the catalogue. Everything follows from the sizes: seeding and measuring share no other state. */
export class Catalogue {
  readonly size: CatalogueSize;
  /** Datasets with files, and containers of them. */
  readonly dataScope: string;
  /** Datasets without files, for searches. */
  readonly searchScope: string;
  /** Names of the objects that rows write. */
  readonly runScope: string;
  /** Datasets of the usual size. */
  readonly datasets: number;
  /** Files of the large dataset; 0 in a small catalogue, which has none. */
  readonly largeFiles: number;

  constructor(size: CatalogueSize) {
    this.size = size;
    const { id, files, filesPerDataset } = size;
    [this.dataScope, this.searchScope, this.runScope] = [`${id}.data`, `${id}.cat`, `${id}.run`];
    const large = filesPerDataset * partsOfLargeDataset;
    this.largeFiles = files >= 2 * large ? large : 0;
    this.datasets = Math.max(1, Math.round((files - this.largeFiles) / filesPerDataset));
  }

  /** All files. */
  get files(): number {
    return this.largeFiles + this.datasets * this.size.filesPerDataset;
  }

  get scopes(): string[] {
    const empty = Array.from({ length: emptyScopes }, (_, index) => `${this.size.id}.s${pad(index, 2)}`);
    return [this.dataScope, this.searchScope, this.runScope, ...empty];
  }

  rse(index: number): string {
    return `${this.size.id.toUpperCase()}-SITE${pad(index % this.size.rses, 3)}_DISK`;
  }

  tierOf(rse: number): string {
    return String(rse % 4);
  }

  countryOf(rse: number): string {
    return `C${rse % 10}`;
  }

  mediumOf(rse: number): string {
    return rse % 3 === 0 ? 'ssd' : 'hdd';
  }

  /** The RSE of a copy of the files of a dataset: the datasets are spread over all RSEs. */
  rseOfCopy(dataset: number, copy: number): string {
    return this.rse(dataset * 7 + copy * 61);
  }

  dataset(index: number): string {
    return `${this.size.id}26_13p6TeV.${pad(index, 6)}.physics_Main.daq.RAW`;
  }

  file(dataset: number, index: number): string {
    return `${this.dataset(dataset)}._lb${pad(index, 5)}._0001.data`;
  }

  get largeDataset(): string {
    return `${this.size.id}26_13p6TeV.large.physics_Main.merge.AOD`;
  }

  largeFile(index: number): string {
    return `${this.largeDataset}._${pad(index, 6)}.pool.root.1`;
  }

  /** Containers of the datasets of the usual size. */
  get containers(): number {
    return Math.ceil(this.datasets / datasetsPerContainer);
  }

  container(index: number): string {
    return `prod.container${pad(index, 3)}`;
  }

  /** Datasets without metadata, and how each group of them begins. */
  get namedDatasets(): number {
    return this.size.nameGroups * this.size.hits;
  }

  namePrefix(group: number): string {
    return `many.${pad(group, 3)}.`;
  }

  namedDataset(index: number): string {
    return `${this.namePrefix(Math.floor(index / this.size.hits))}item${pad(index % this.size.hits, 2)}`;
  }

  /** Datasets with metadata. */
  get describedDatasets(): number {
    return this.size.metadataGroups * this.size.hits;
  }

  describedDataset(index: number): string {
    return `meta.set${pad(index, 5)}`;
  }

  /** `run_number` is a column of Rucio; the last two are JSON keys that no server is configured for. */
  metadataOf(group: number): { project: string; run_number: number; bench_group: number; bench_tag: string } {
    return {
      project: `${this.size.id}proj`,
      run_number: 400_000 + group,
      bench_group: group,
      bench_tag: `tag-${pad(group, 2)}`,
    };
  }

  readonly treeTop = 'nest.top';

  treeContainer(index: number): string {
    return `nest.mid${pad(index, 2)}`;
  }

  treeDataset(container: number, index: number): string {
    return `${this.treeContainer(container)}.leaf${pad(index, 2)}`;
  }

  /** DIDs of the tree below its top. */
  get treeSize(): number {
    const [containers, each] = this.size.tree;
    return containers * (1 + each);
  }

  /** Datasets of the scope that is searched. */
  get searchedDatasets(): number {
    const [containers, each] = this.size.tree;
    return this.namedDatasets + this.describedDatasets + containers * each;
  }

  subscription(index: number): string {
    return `${this.size.id}-sub-${pad(index, 2)}`;
  }

  configSection(index: number): string {
    return `${this.size.id}bench${index}`;
  }

  /** A file of the catalogue to attach elsewhere: of the large dataset, so that the files that are read keep one parent. */
  fileToAttach(index: number): Did {
    const { filesPerDataset } = this.size;
    const name =
      this.largeFiles > 0
        ? this.largeFile(index % this.largeFiles)
        : this.file(Math.floor(index / filesPerDataset) % this.datasets, index % filesPerDataset);
    return { scope: this.dataScope, name };
  }

  /** Number of different files that `fileToAttach` gives. */
  get filesToAttach(): number {
    return this.largeFiles || this.datasets * this.size.filesPerDataset;
  }
}

/** A file with a size and checksums that follow from its name. */
export function fileEntry(scope: string, name: string): FileEntry {
  const md5 = hash('md5', `${scope}:${name}`);
  return { scope, name, bytes: 1_000_000 + Number.parseInt(md5.slice(0, 6), 16), adler32: md5.slice(8, 16), md5 };
}

/** The results of a function for 0 to `count` - 1. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function pad(number: number, width: number): string {
  return String(number).padStart(width, '0');
}
