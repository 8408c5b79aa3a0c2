import type { DidKey } from '../../contract/schemas/did.ts';
import { RucioError } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Did, type FileDid, getDids, getFiles } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { isValidDid } from '../values/did-names.ts';
import { formatDid } from '../values/format-did.ts';

/** The existing DIDs of a list, by `scope:name`. */
export async function findDids(table: Table, dids: readonly DidKey[]): Promise<Map<string, Did>> {
  const found = await getDids(table, dids.filter(isValidDid));
  return new Map(found.map((did) => [formatDid(did), did]));
}

/** The existing files of a list, by `scope:name`; collections are left out. */
export async function findFiles(table: Table, dids: readonly DidKey[]): Promise<Map<string, FileDid>> {
  const found = await getFiles(table, dids.filter(isValidDid));
  return new Map(found.map((file) => [formatDid(file), file]));
}

/** ReplicaIsLocked (423). */
export function replicaLockedError(did: DidKey, { rse }: Pick<Rse, 'rse'>): RucioError {
  return new RucioError('ReplicaIsLocked', `Replica ${formatDid(did)} on RSE ${rse} is locked.`);
}
