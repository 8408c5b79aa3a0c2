import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../batches/table.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { didOfContent, replicaKeys } from '../keys/replica-keys.ts';

/** The files with a replica at a path of a non-deterministic RSE; strongly consistent. */
export async function findByPath(table: Table, rseId: string, path: string): Promise<DidKey[]> {
  const files: DidKey[] = [];
  for await (const item of table.query({ pk: replicaKeys.pathPartition(rseId, path) })) files.push(didOfContent(item));
  return files;
}

/** The write that enters a file under the path of its replica. */
export function insertRsePath(rseId: string, path: string, did: DidKey): Insert {
  return { kind: 'insert', item: { ...replicaKeys.path(rseId, path, did) }, onExists: makeRaceError };
}

/** The write that removes a file from the path of its replica. */
export function deleteRsePath(rseId: string, path: string, did: DidKey): Change {
  return {
    kind: 'change',
    key: replicaKeys.path(rseId, path, did),
    patch: { delete: true },
    onMismatch: makeRaceError,
  };
}

const makeRaceError = () => new LostRace('the path of a replica changed');
