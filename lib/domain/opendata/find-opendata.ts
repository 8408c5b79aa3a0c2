import type { DidKey } from '../../contract/schemas/did.ts';
import { RucioError } from '../../errors.ts';
import { mapLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import { deleteOpendata, getOpendataEntry, type OpendataEntry } from '../../store/entities/opendata.ts';
import type { Write } from '../../store/items/plan.ts';
import { isValidDid } from '../values/did-names.ts';

const maxParallelReads = 16;

/**
 * The entry of a DID.
 *
 * @param label How the message writes the DID: Rucio quotes it where it changes something.
 * @throws OpenDataDataIdentifierNotFound (404).
 */
export async function findOpendata(table: Table, did: DidKey, label: string): Promise<OpendataEntry> {
  const entry = isValidDid(did) ? await getOpendataEntry(table, did) : undefined;
  if (entry === undefined) throw opendataNotFoundError(label);
  return entry;
}

/** OpenDataDataIdentifierNotFound (404) for a DID, as {@link findOpendata} writes it. */
export function opendataNotFoundError(label: string): RucioError {
  return new RucioError('OpenDataDataIdentifierNotFound', `OpenData DID ${label} not found.`);
}

/** The writes that remove the entries of DIDs in any state, for DIDs that are deleted; those without an entry need none. */
export async function planOpendataRemoval(table: Table, dids: readonly DidKey[]): Promise<Write[]> {
  const entries = await mapLimited(dids, maxParallelReads, (did) => getOpendataEntry(table, did));
  return deleteOpendata(entries.filter((entry) => entry !== undefined));
}
