import type { DidKey } from '../../contract/schemas/did.ts';
import { mapLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import { getEdges } from '../../store/entities/edge.ts';
import { isContentEdge, listParentCollections } from '../../store/entities/parents.ts';
import { formatDid } from '../values/format-did.ts';

/** The most DIDs whose parents are read from the index in parallel. */
const maxParallelQueries = 32;

interface Attachment {
  readonly parent: DidKey;
  readonly child: DidKey;
}

/**
 * Reads the collections to which DIDs are attached, and remembers them: it reads the parents of each DID once. It finds
 * parents in the index, which may be behind the table, and then looks up each attachment in the table.
 */
export class ContentParents {
  readonly #table: Table;
  readonly #recentParents: ReadonlyMap<string, readonly DidKey[]>;
  readonly #shown = new Map<string, Promise<readonly DidKey[]>>();
  readonly #verified = new Map<string, Promise<boolean>>();

  /**
   * @param table A view of the latest committed state.
   * @param recentParents The parents to which a DID (`scope:name`) was attached recently. The index may not have them yet, so
   *   they are looked up in any case.
   */
  constructor(table: Table, recentParents: ReadonlyMap<string, readonly DidKey[]> = new Map()) {
    this.#table = table;
    this.#recentParents = recentParents;
  }

  /**
   * Finds the parents of each child, in the order of the children. Takes two round trips, whatever their number.
   *
   * @param root A possible parent that is looked up even if the index does not name it.
   */
  async findAll(children: readonly DidKey[], root: DidKey): Promise<DidKey[][]> {
    const shown = await readOnce(this.#shown, children, formatDid, (unread) => this.#listShown(unread));
    const attachments = children.flatMap((child, index) => {
      const parents = [root, ...(shown[index] ?? []), ...(this.#recentParents.get(formatDid(child)) ?? [])];
      return parents.map((parent) => ({ parent, child }));
    });
    const verified = await readOnce(this.#verified, attachments, formatAttachment, (unread) => this.#verify(unread));
    const byChild = Map.groupBy(
      attachments.filter((_attachment, index) => verified[index]),
      ({ child }) => formatDid(child),
    );
    return children.map((child) => byChild.get(formatDid(child))?.map(({ parent }) => parent) ?? []);
  }

  #listShown(children: readonly DidKey[]): Promise<DidKey[][]> {
    return mapLimited(children, maxParallelQueries, (child) =>
      Array.fromAsync(listParentCollections(this.#table, child)),
    );
  }

  async #verify(attachments: readonly Attachment[]): Promise<boolean[]> {
    const edges = await getEdges(this.#table, attachments);
    const present = new Set(edges.filter(isContentEdge).map(formatAttachment));
    return attachments.map((attachment) => present.has(formatAttachment(attachment)));
  }
}

const formatAttachment = ({ parent, child }: Attachment) => `${formatDid(parent)} ${formatDid(child)}`;

/** The values of some keys: those that are not in the cache are read together, and kept. */
function readOnce<K, V>(
  cache: Map<string, Promise<V>>,
  keys: readonly K[],
  format: (key: K) => string,
  read: (unread: readonly K[]) => Promise<readonly V[]>,
): Promise<V[]> {
  const names = keys.map(format);
  const unread = new Map(names.flatMap((name, index) => (cache.has(name) ? [] : [[name, keys[index] as K] as const])));
  if (unread.size > 0) {
    const reading = read([...unread.values()]);
    for (const [index, name] of [...unread.keys()].entries()) {
      cache.set(
        name,
        reading.then((values) => values[index] as V),
      );
    }
  }
  return Promise.all(names.map((name) => cache.get(name) as Promise<V>));
}
