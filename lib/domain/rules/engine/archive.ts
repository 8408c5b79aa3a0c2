import type { Table } from '../../../store/batches/table.ts';
import { type Did, getDids } from '../../../store/entities/did.ts';
import { listParents } from '../../../store/entities/edge.ts';
import { getFleet } from '../../../store/entities/rse-fleet.ts';

/** What a rule on a DID is placed on: for a file that lies on no disk the archive that has it, if one has a replica. */
export async function bearerOf(table: Table, did: Did): Promise<Did> {
  if (did.type !== 'FILE' || did.constituent !== true) return did;
  const { byId } = await getFleet(table);
  const isOnDisk = [...did.replicas].some(([id, { state }]) => state === 'A' && byId.get(id)?.rseType !== 'TAPE');
  if (isOnDisk) return did;
  const archives = (await Array.fromAsync(listParents(table, did))).filter(({ inArchive }) => inArchive === true);
  const found = await getDids(
    table,
    archives.map(({ parent }) => parent),
  );
  return found.find(({ replicas }) => replicas.size > 0) ?? did;
}
