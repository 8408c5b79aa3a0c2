import type { DidKey } from '../../contract/schemas/did.ts';
import type { ReplicaLine } from '../../contract/schemas/replica.ts';
import { Ancestry } from '../../domain/did-graph/ancestry.ts';
import { byScopeAndName, filesBelow, firstFilesBelow, placeOf } from '../../domain/did-graph/files-below.ts';
import { drawSample } from '../../domain/replicas/draw-sample.ts';
import { findArchives } from '../../domain/replicas/find-archives.ts';
import { findDids } from '../../domain/replicas/find-dids.ts';
import { orderPfns, groupPfnsByRse } from '../../domain/replicas/order-pfns.ts';
import { PfnFinder, type PfnSource } from '../../domain/replicas/pfn-finder.ts';
import type { AnonymousContext } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { stateName, stateOf } from '../../domain/values/replica-states.ts';
import { splitIntoChunks } from '../../domain/values/split-into-chunks.ts';
import { mapLimited } from '../../parallel.ts';
import { mergeSorted } from '../../store/batches/merge.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { type Fleet, getFleet } from '../../store/entities/rse-fleet.ts';
import { type ReplicaTest, makeReplicaTest, type ReplicaListQuery } from './replica-query.ts';

/** Files that are read at once: ten requests of 100. */
const filesPerStep = 1_000;

/** Questions for parents that are under way at once. */
const parallel = 50;

/**
 * The replicas of files, also of the files below collections, by scope and name, each file once; DIDs that do not exist
 * are passed over. A file that was asked for by itself is listed also when it has no replica that fits
 * (spec/replication.md 1.4).
 *
 * Files that are named cost a read each, a hundred a request and all at once; those of collections two or three reads of
 * the content more, no more than the wish's bound. Archives and parents cost a query a file.
 *
 * @throws InvalidRSEExpression, InvalidObject (400).
 */
export async function* listReplicas(
  { store, now }: AnonymousContext,
  wish: ReplicaListQuery,
): AsyncGenerator<ReplicaLine> {
  const { table } = store;
  const [found, fleet] = await Promise.all([findDids(table, wish.dids), getFleet(table)]);
  const lister = new Lister(table, fleet, { wish, now, test: await makeReplicaTest(table, wish.filter, now) });
  const dids = [...found.values()];
  const lines = lister.list(
    dids.filter(({ type }) => type === 'FILE').toSorted(byScopeAndName),
    dids.filter(({ type }) => type !== 'FILE'),
  );
  yield* wish.random === undefined ? lines : drawSample(lines, wish.random);
}

interface Terms {
  readonly wish: ReplicaListQuery;
  readonly now: number;
  readonly test: ReplicaTest;
}

class Lister {
  readonly #table: Table;
  readonly #fleet: Fleet;
  readonly #terms: Terms;
  readonly #pfns: PfnFinder;
  readonly #ancestry: Ancestry;

  constructor(table: Table, fleet: Fleet, terms: Terms) {
    this.#table = table;
    this.#fleet = fleet;
    this.#terms = terms;
    this.#pfns = new PfnFinder(terms.wish.access);
    this.#ancestry = new Ancestry(table);
  }

  async *list(named: readonly Did[], collections: readonly Did[]): AsyncGenerator<ReplicaLine> {
    const known = new Map(named.map((file) => [formatDid(file), file]));
    const { bound } = this.#terms.wish;
    const below =
      bound === undefined
        ? filesBelow(this.#table, collections)
        : firstFilesBelow(this.#table, collections, bound.attachments, bound.onMore);
    const files = collections.length === 0 ? named : mergeSorted<DidKey>([toStream(named), below], placeOf);
    let last: string | undefined;
    for await (const step of splitIntoChunks(files, bound?.filesPerStep ?? filesPerStep)) {
      const keys = step.filter((file) => {
        const isRepeated = placeOf(file) === last;
        last = placeOf(file);
        return !isRepeated;
      });
      yield* await this.#lines(keys, known);
    }
  }

  async #lines(keys: readonly DidKey[], named: ReadonlyMap<string, Did>): Promise<ReplicaLine[]> {
    const unread = keys.filter((key) => !named.has(formatDid(key)));
    const read = new Map((await getDids(this.#table, unread)).map((file) => [formatDid(file), file]));
    const files = keys.flatMap((key) => named.get(formatDid(key)) ?? read.get(formatDid(key)) ?? []);
    const constituents = files.filter((file) => file.constituent === true && named.has(formatDid(file)));
    const archives = this.#terms.wish.resolveArchives ? await findArchives(this.#table, constituents) : new Map();
    const lines = files.flatMap((file) => {
      const sources = this.#sources(file, (archives.get(formatDid(file)) ?? []) as readonly Did[]);
      return sources.length === 0 && !named.has(formatDid(file)) ? [] : this.#line(file, sources);
    });
    if (!this.#terms.wish.resolveParents) return lines;
    const parents = await mapLimited(lines, parallel, (line) => this.#ancestry.findAncestors(line));
    return lines.map((line, index) => Object.assign(line, { parents: parents[index] ?? [] }));
  }

  /** Where a file can be read: its own replicas and those of archives that hold it, by the ids of the RSEs. */
  #sources(file: Did, archives: readonly Did[]): (PfnSource & { readonly state: string })[] {
    const { now, test } = this.#terms;
    return [file, ...archives].flatMap((did) =>
      [...did.replicas]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([rseId, replica]) => {
          const rse = this.#fleet.byId.get(rseId);
          if (!test(rse, replica, did)) return [];
          return { rse, did, inArchive: did !== file, path: replica.path, state: stateOf(replica, now) };
        }),
    );
  }

  #line(file: Did, sources: readonly (PfnSource & { readonly state: string })[]): ReplicaLine {
    const pfns = this.#pfns.find(file, sources);
    return {
      scope: file.scope,
      name: file.name,
      bytes: file.bytes ?? null,
      md5: file.md5 ?? null,
      adler32: file.adler32 ?? null,
      pfns: orderPfns(pfns, this.#terms.wish.arrangement),
      rses: groupPfnsByRse(pfns),
      states: Object.fromEntries(sources.map(({ rse, state }) => [rse.rse, stateName(state)])),
    };
  }
}

async function* toStream<T>(rows: Iterable<T>): AsyncGenerator<T> {
  yield* rows;
}
