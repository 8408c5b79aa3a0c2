import type { DidKey } from '../../contract/schemas/did.ts';
import { RucioError } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { deleteOpendata, countOpendata, getOpendataEntry, type OpendataEntry } from '../../store/entities/opendata.ts';
import type { Write } from '../../store/items/plan.ts';
import { isValidDid } from '../values/did-names.ts';

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

/** The writes that remove the entry of a DID in any state, for a DID that is deleted; none if it has no entry. */
export async function planOpendataRemoval(table: Table, did: DidKey): Promise<Write[]> {
  const entry = await getOpendataEntry(table, did);
  return entry === undefined ? [] : deleteOpendata(entry, await countOpendata(table));
}
