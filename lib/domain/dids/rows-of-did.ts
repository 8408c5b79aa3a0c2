import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { findDid } from './find-did.ts';

/**
 * The rows of a list that belongs to a DID. An empty list costs a read more: it may be that there is no such DID.
 *
 * @throws DataIdentifierNotFound (404), instead of an empty list.
 */
export async function* rowsOfDid<T>(table: Table, did: DidKey, rows: AsyncIterable<T>): AsyncGenerator<T> {
  let isEmpty = true;
  for await (const row of rows) {
    isEmpty = false;
    yield row;
  }
  if (isEmpty) await findDid(table, did);
}
