import type { DidKey } from '../../contract/schemas/did.ts';
import type { Slice, Table } from '../batches/table.ts';
import { type Edge, listParentEdges } from './edge.ts';

/** Whether an edge attaches its child to a collection. The edge of an archive to its constituent does not. */
export function isContentEdge({ inArchive }: Pick<Edge, 'inArchive'>): boolean {
  return inArchive !== true;
}

/** Lists the collections to which a DID is attached, by scope and name, without archives. Eventually consistent. */
export async function* listParentCollections(
  table: Table,
  child: DidKey,
  slice?: Slice<DidKey>,
): AsyncGenerator<DidKey> {
  for await (const edge of listParentEdges(table, child, slice)) if (isContentEdge(edge)) yield edge.parent;
}

/** Lists the archives of which a file is a constituent, by scope and name. Eventually consistent. */
export async function* listArchives(table: Table, file: DidKey): AsyncGenerator<DidKey> {
  for await (const edge of listParentEdges(table, file)) if (!isContentEdge(edge)) yield edge.parent;
}
