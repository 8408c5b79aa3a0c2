import { Random } from '../../test/simulate/random.ts';
import { fileEntry, optionsPerSection, times, type Catalogue, type Did } from './catalogue.ts';
import type { LoadRequest } from './client.ts';

/** Makes single requests; which names they take is random, but the same for each server. */
export class Requests {
  readonly catalogue: Catalogue;
  readonly #run: string;
  readonly #expressions: readonly (readonly [expression: string, hits: number])[];
  #random = new Random('load');
  #serial = 0;

  /** @param run Part of the names that are written: different in each run, so that a server can be measured again. */
  constructor(catalogue: Catalogue, run: string) {
    this.catalogue = catalogue;
    this.#run = run;
    this.#expressions = listExpressions(catalogue);
  }

  /** Begins the random choices anew. */
  restart(label: string): void {
    this.#random = new Random(label);
  }

  /** A random integer below `count`. */
  below(count: number): number {
    return this.#random.below(count);
  }

  /** Picks a name by weight. */
  weighed<T extends string>(weights: Readonly<Record<T, number>>): T {
    return this.#random.weighed(weights);
  }

  /** A name that no run has used. */
  newName(kind: string): string {
    this.#serial += 1;
    return `run.${this.#run}.${kind}.${this.#serial}`;
  }

  getDid(): LoadRequest {
    return get(this.dataPath(this.#anyDid()));
  }

  getMetadata(): LoadRequest {
    return get(this.dataPath(this.#anyDid(), '/meta'));
  }

  getMetadataOfAllPlugins(): LoadRequest {
    return get(this.searchPath(this.#anyDescribedDataset(), '/meta?plugin=ALL'));
  }

  listContent(): LoadRequest {
    return get(this.dataPath(this.#anyDataset(), '/dids'), this.catalogue.size.filesPerDataset);
  }

  listParents(): LoadRequest {
    return atLeast(get(this.dataPath(this.#anyFile(), '/parents'), 1));
  }

  searchByName(): LoadRequest {
    const prefix = this.catalogue.namePrefix(this.below(this.catalogue.size.nameGroups));
    return this.#search({ name: `${prefix}*` }, this.catalogue.size.hits);
  }

  /** Finds the hits of one group of metadata, by the criteria that the group is given to. */
  searchByMetadata(
    criteria: (metadata: ReturnType<Catalogue['metadataOf']>) => Readonly<Record<string, string | number>>,
  ): LoadRequest {
    const { metadataGroups, hits } = this.catalogue.size;
    return this.#search(criteria(this.catalogue.metadataOf(this.below(metadataGroups))), hits);
  }

  searchRecursively(): LoadRequest {
    return this.#search({ name: this.catalogue.treeTop, recursive: 'True' }, this.catalogue.treeSize + 1);
  }

  listScopeRecursively(): LoadRequest {
    const { searchScope, treeTop, treeSize } = this.catalogue;
    return get(`/dids/${searchScope}/?name=${treeTop}&recursive=True`, treeSize);
  }

  listReplicasOfFile(): LoadRequest {
    return this.listReplicas(this.#anyFile(), 1);
  }

  listReplicasOfDataset(): LoadRequest {
    return this.listReplicas(this.#anyDataset(), this.catalogue.size.filesPerDataset);
  }

  listReplicas(name: string, rows: number): LoadRequest {
    const dids = [{ scope: this.catalogue.dataScope, name }];
    return { method: 'POST', path: '/replicas/list', body: { dids }, rows };
  }

  getRse(): LoadRequest {
    return get(`/rses/${this.#anyRse()}`);
  }

  listRses(): LoadRequest {
    return atLeast(get('/rses/', this.catalogue.size.rses));
  }

  listRsesByExpression(): LoadRequest {
    const [expression, hits] = this.#random.pick(this.#expressions);
    return atLeast(get(`/rses/?expression=${encodeURIComponent(expression)}`, hits));
  }

  listPfns(count: number): LoadRequest {
    const { dataScope } = this.catalogue;
    const names = times(count, () => `lfn=${encodeURIComponent(`${dataScope}:${this.#anyFile()}`)}`);
    return get(`/rses/${this.#anyRse()}/lfns2pfns?${names.join('&')}&scheme=davs&operation=read`);
  }

  listSubscriptions(): LoadRequest {
    return atLeast(get('/subscriptions/', this.catalogue.size.subscriptions));
  }

  getConfigOption(): LoadRequest {
    const section = this.catalogue.configSection(this.below(this.catalogue.size.configSections));
    return get(`/config/${section}/option${this.below(optionsPerSection)}`);
  }

  createDataset(): LoadRequest {
    return post(this.runPath(this.newName('dataset')), { type: 'DATASET' });
  }

  /** Registers new files on an RSE, as replicas without a dataset. */
  registerFiles(count: number, rse = this.#anyRse()): LoadRequest {
    return post('/replicas', { rse, files: this.newFiles(count) });
  }

  /** Registers new files on an RSE and attaches them to a dataset of the run. */
  registerAndAttach(dataset: string, count: number): LoadRequest {
    return post(this.runPath(dataset, '/dids'), { rse: this.#anyRse(), dids: this.newFiles(count) });
  }

  newFiles(count: number): object[] {
    const name = this.newName('file');
    return times(count, (index) => fileEntry(this.catalogue.runScope, `${name}.${index}`));
  }

  setMetadata(): LoadRequest {
    this.#serial += 1;
    return post(this.searchPath(this.#anyDescribedDataset(), '/meta'), { meta: { bench_note: `v${this.#serial}` } });
  }

  attach(dataset: string, dids: readonly Did[]): LoadRequest {
    return post(this.runPath(dataset, '/dids'), { dids });
  }

  dataPath(name: string, tail = ''): string {
    return `/dids/${this.catalogue.dataScope}/${name}${tail}`;
  }

  searchPath(name: string, tail = ''): string {
    return `/dids/${this.catalogue.searchScope}/${name}${tail}`;
  }

  runPath(name: string, tail = ''): string {
    return `/dids/${this.catalogue.runScope}/${name}${tail}`;
  }

  #search(criteria: Readonly<Record<string, string | number>>, rows: number): LoadRequest {
    const query = Object.entries(criteria).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
    return get(`/dids/${this.catalogue.searchScope}/dids/search?${query.join('&')}&type=collection`, rows);
  }

  #anyDataset(): string {
    return this.catalogue.dataset(this.below(this.catalogue.datasets));
  }

  #anyFile(): string {
    const { datasets, size } = this.catalogue;
    return this.catalogue.file(this.below(datasets), this.below(size.filesPerDataset));
  }

  #anyDid(): string {
    return this.below(2) === 0 ? this.#anyFile() : this.#anyDataset();
  }

  #anyDescribedDataset(): string {
    return this.catalogue.describedDataset(this.below(this.catalogue.describedDatasets));
  }

  #anyRse(): string {
    return this.catalogue.rse(this.below(this.catalogue.size.rses));
  }
}

export function get(path: string, rows?: number): LoadRequest {
  return { method: 'GET', path, ...(rows === undefined ? {} : { rows }) };
}

export function post(path: string, body?: unknown): LoadRequest {
  return { method: 'POST', path, ...(body === undefined ? {} : { body }) };
}

function atLeast(request: LoadRequest): LoadRequest {
  return { ...request, mayHaveMoreRows: true };
}

/** Expressions of two forms that find something, with the number of RSEs of the catalogue that they find. */
function listExpressions(catalogue: Catalogue): (readonly [string, number])[] {
  const rses = times(catalogue.size.rses, (rse) => ({
    tier: catalogue.tierOf(rse),
    country: catalogue.countryOf(rse),
    medium: catalogue.mediumOf(rse),
  }));
  const found: (readonly [string, number])[] = [];
  for (const tier of ['0', '1', '2', '3']) {
    const next = String((Number(tier) + 1) % 4);
    for (const country of times(10, (index) => `C${index}`)) {
      const without = rses.filter((rse) => [tier, next].includes(rse.tier) && rse.country !== country);
      found.push([`(tier=${tier}|tier=${next})\\country_name=${country}`, without.length]);
      for (const medium of ['ssd', 'hdd']) {
        const all = rses.filter((rse) => rse.tier === tier && rse.country === country && rse.medium === medium);
        found.push([`tier=${tier}&country_name=${country}&medium=${medium}`, all.length]);
      }
    }
  }
  return found.filter(([, hits]) => hits > 0);
}
