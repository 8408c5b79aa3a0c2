import { ReplicaState } from '../../../contract/schemas/states.ts';
import type { Table } from '../../../store/batches/table.ts';
import { type Did, getFiles } from '../../../store/entities/did.ts';
import { listArchives } from '../../../store/entities/parents.ts';
import { getFleet } from '../../../store/entities/rse-fleet.ts';

/**
 * The DID on which a rule is placed. For a constituent of an archive without a replica on disk, this is the first of
 * its archives that has a replica; otherwise the DID itself.
 */
export async function resolveConstituent(table: Table, did: Did): Promise<Did> {
  if (did.type !== 'FILE' || did.constituent !== true) return did;
  const { byId } = await getFleet(table);
  const isOnDisk = [...did.replicas].some(
    ([id, { state }]) => state === ReplicaState.AVAILABLE && byId.get(id)?.rseType !== 'TAPE',
  );
  if (isOnDisk) return did;
  const found = await getFiles(table, await Array.fromAsync(listArchives(table, did)));
  return found.find(({ replicas }) => replicas.size > 0) ?? did;
}
