import type { DidKey, Metadata } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import { toText } from '../../json.ts';
import type { Table } from '../../store/batches/table.ts';
import { hasConventionValue, listConventionValues } from '../../store/entities/convention.ts';

/** Metadata that the scope of a dataset implies for it and for its new files (spec/dids.md 2.2 step 4). */
export function getImpliedMetadata({ scope }: DidKey): Readonly<Record<string, string>> {
  if (scope.startsWith('user')) return { project: 'user' };
  if (scope.startsWith('group')) return { project: 'group' };
  return {};
}

/**
 * Adds the metadata that the scope of a new dataset implies.
 *
 * @throws InvalidObject (400) if the given metadata says otherwise (spec/dids.md 2.2 step 4).
 */
export function addImpliedMetadata(dataset: DidKey, metadata: Metadata): Metadata {
  const implied = getImpliedMetadata(dataset);
  for (const [key, value] of Object.entries(implied)) {
    const given = metadata[key];
    if (given !== undefined && given !== value) {
      const values = `${given === null ? 'None' : toText(given)} != ${value}`;
      fail('InvalidObject', `Provided metadata ${key} doesn't match the naming convention: ${values}`);
    }
  }
  return { ...metadata, ...implied };
}

/**
 * Checks the `datatype` of a new dataset against its registered values, if there are any. Reads nothing for a dataset
 * without a `datatype`.
 *
 * @throws InvalidObject (400), spec/dids.md 2.2 step 5.
 */
export async function requireValidDatatype(table: Table, metadata: Metadata): Promise<void> {
  const { datatype } = metadata;
  if (datatype === undefined) return;
  const value = toText(datatype);
  if (await hasConventionValue(table, 'datatype', value)) return;
  const none = (await listConventionValues(table, 'datatype').next()).done === true;
  if (!none) fail('InvalidObject', `The value ${value}' for the key datatype is not valid`);
}
