import type { DidKey } from '../../contract/schemas/did.ts';
import { RucioError } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Did, getDid } from '../../store/entities/did.ts';
import { isValidDid } from '../values/did-names.ts';
import { formatDid } from '../values/format-did.ts';

/**
 * Reads one DID.
 *
 * @throws DataIdentifierNotFound (404).
 */
export async function findDid(table: Table, did: DidKey): Promise<Did> {
  const found = isValidDid(did) ? await getDid(table, did) : undefined;
  if (found === undefined) throw didNotFoundError(did);
  return found;
}

/** DataIdentifierNotFound (404) for a DID. */
export function didNotFoundError(did: DidKey): RucioError {
  return new RucioError('DataIdentifierNotFound', `Data identifier '${formatDid(did)}' not found`);
}
