import type { DidKey } from '../../contract/schemas/did.ts';
import type { ReplicaLine } from '../../contract/schemas/replica.ts';
import { type ReplicaState, replicaStateNames } from '../../contract/schemas/states.ts';
import { Ancestry } from '../../domain/did-graph/ancestry.ts';
import { filesBelow, firstFilesBelow } from '../../domain/did-graph/files-below.ts';
import { type CallerSite, findCallerSite } from '../../domain/replicas/caller-site.ts';
import { drawSample } from '../../domain/replicas/draw-sample.ts';
import { findArchives } from '../../domain/replicas/find-archives.ts';
import { findDids } from '../../domain/replicas/find-dids.ts';
import { orderPfns } from '../../domain/replicas/order-pfns.ts';
import { PfnFinder, type PfnSource } from '../../domain/replicas/pfn-finder.ts';
import type { AnonymousContext } from '../../domain/values/context.ts';
import { byScopeAndName, didSortKey } from '../../domain/values/did-order.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { effectiveState } from '../../domain/values/replica-state.ts';
import { mapLimited } from '../../parallel.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import { openLater } from '../../rows/open-later.ts';
import { flattenPages } from '../../rows/paged-rows.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Table } from '../../store/batches/table.ts';
import { type CollectionDid, type FileDid, getFiles, isCollection, isFile } from '../../store/entities/did.ts';
import { type Fleet, getFleet } from '../../store/entities/rse-fleet.ts';
import { type ReplicaTest, makeReplicaTest, type ReplicaListQuery } from './replica-query.ts';

/** Read in ten parallel batches of 100. */
const filesPerStep = 1_000;

const maxParallelQueries = 50;

/**
 * The replicas of files and of all files in collections, by scope and name, each file once. Unknown DIDs are skipped. A
 * file that the request names is listed even without a matching replica (spec/replication.md 1.4).
 *
 * A named file costs a read, in parallel batches of 100. A file in a collection costs two or three reads of the content
 * more, up to the bound of the query. Archives and parents cost a query per file.
 *
 * @throws InvalidRSEExpression, InvalidObject (400).
 */
export function listReplicas({ store, now }: AnonymousContext, query: ReplicaListQuery): ReadyRows<ReplicaLine> {
  const { table } = store;
  return openLater(async () => {
    const [found, fleet, site] = await Promise.all([
      findDids(table, query.dids),
      getFleet(table),
      findCallerSite(table, query.site),
    ]);
    const terms = { query, site, now, test: await makeReplicaTest(table, query.filter, now) };
    const lister = new ReplicaLister(table, fleet, terms);
    const dids = [...found.values()];
    const lines = flattenPages(lister.list(dids.filter(isFile).toSorted(byScopeAndName), dids.filter(isCollection)));
    return query.random === undefined ? lines : drawSample(lines, query.random);
  });
}

/** The query and what is derived from it. */
interface ListTerms {
  readonly query: ReplicaListQuery;
  readonly site: CallerSite | undefined;
  readonly now: number;
  readonly test: ReplicaTest;
}

/** Lists the replicas of files. Caches protocols and ancestors. */
class ReplicaLister {
  readonly #table: Table;
  readonly #fleet: Fleet;
  readonly #terms: ListTerms;
  readonly #pfns: PfnFinder;
  readonly #ancestry: Ancestry;

  constructor(table: Table, fleet: Fleet, terms: ListTerms) {
    this.#table = table;
    this.#fleet = fleet;
    this.#terms = terms;
    this.#pfns = new PfnFinder({ ...terms.query.access, site: terms.site });
    this.#ancestry = new Ancestry(table);
  }

  /** The lines of files and of those in collections, step by step. */
  async *list(
    named: readonly FileDid[],
    collections: readonly CollectionDid[],
  ): AsyncGenerator<readonly ReplicaLine[]> {
    const known = new Map(named.map((file) => [formatDid(file), file]));
    const { bound } = this.#terms.query;
    const below =
      bound === undefined
        ? filesBelow(this.#table, collections)
        : firstFilesBelow(this.#table, collections, bound.attachments, bound.onMore);
    const files = collections.length === 0 ? named : mergeSorted<DidKey>([named, below], didSortKey);
    let last: string | undefined;
    for await (const step of splitIntoChunks(files, bound?.filesPerStep ?? filesPerStep)) {
      const keys = step.filter((file) => {
        const isRepeated = didSortKey(file) === last;
        last = didSortKey(file);
        return !isRepeated;
      });
      yield await this.#lines(keys, known);
    }
  }

  async #lines(keys: readonly DidKey[], named: ReadonlyMap<string, FileDid>): Promise<ReplicaLine[]> {
    const unread = keys.filter((key) => !named.has(formatDid(key)));
    const read = new Map((await getFiles(this.#table, unread)).map((file) => [formatDid(file), file]));
    const files = keys.flatMap((key) => named.get(formatDid(key)) ?? read.get(formatDid(key)) ?? []);
    const { resolveArchives, bound } = this.#terms.query;
    // A bounded list asks for the archives of named files only.
    const inArchives = files.filter(
      (file) => file.constituent === true && (bound === undefined || named.has(formatDid(file))),
    );
    const archives = resolveArchives ? await findArchives(this.#table, inArchives) : undefined;
    const lines = files.flatMap((file) => {
      const sources = this.#sources(file, archives?.get(formatDid(file)) ?? []);
      return sources.length === 0 && !named.has(formatDid(file)) ? [] : this.#line(file, sources);
    });
    if (!this.#terms.query.resolveParents) return lines;
    const parents = await mapLimited(lines, maxParallelQueries, (line) => this.#ancestry.listAncestors(line));
    return lines.map((line, index) => Object.assign(line, { parents: parents[index] ?? [] }));
  }

  /**
   * The replicas from which a file can be read: its own and those of archives that contain it, by the ids of the RSEs.
   */
  #sources(file: FileDid, archives: readonly FileDid[]): (PfnSource & { readonly state: ReplicaState })[] {
    const { now, test } = this.#terms;
    return [file, ...archives].flatMap((did) =>
      [...did.replicas]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([rseId, replica]) => {
          const rse = this.#fleet.byId.get(rseId);
          if (!test(rse, replica, did)) return [];
          return { rse, did, inArchive: did !== file, path: replica.path, state: effectiveState(replica, now) };
        }),
    );
  }

  #line(file: FileDid, sources: readonly (PfnSource & { readonly state: ReplicaState })[]): ReplicaLine {
    const { query, site } = this.#terms;
    const { pfns, rses } = orderPfns(this.#pfns.find(file, sources), query.arrangement, site?.distances);
    return {
      scope: file.scope,
      name: file.name,
      bytes: file.bytes ?? null,
      md5: file.md5 ?? null,
      adler32: file.adler32 ?? null,
      pfns,
      rses,
      states: Object.fromEntries(sources.map(({ rse, state }) => [rse.rse, replicaStateNames[state]])),
    };
  }
}
