import type { DidKey } from '../../contract/schemas/did.ts';
import { mapRows } from '../../rows/map-rows.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import type { Slice, Table } from '../batches/table.ts';
import { type Edge, listParentEdges } from './edge.ts';

/** Whether an edge attaches its child to a collection. The edge of an archive to its constituent does not. */
export function isContentEdge({ inArchive }: Pick<Edge, 'inArchive'>): boolean {
  return inArchive !== true;
}

/** Lists the collections to which a DID is attached, by scope and name, without archives. Eventually consistent. */
export function listParentCollections(table: Table, child: DidKey, slice?: Slice<DidKey>): ReadyRows<DidKey> {
  return mapRows(listParentEdges(table, child, slice), (edge) => (isContentEdge(edge) ? edge.parent : undefined));
}

/** Lists the archives of which a file is a constituent, by scope and name. Eventually consistent. */
export function listArchives(table: Table, file: DidKey): ReadyRows<DidKey> {
  return mapRows(listParentEdges(table, file), (edge) => (isContentEdge(edge) ? undefined : edge.parent));
}
