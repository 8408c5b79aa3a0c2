import type { ImportedRse } from '../../contract/schemas/fleet.ts';
import type { NewRse, RseAttribute } from '../../store/entities/rse.ts';
import { toRseAttribute } from '../rses/attribute-value.ts';
import type { SyncMethod } from './sync-method.ts';

/** Members of the record that are also attributes. */
const recordAttributes = ['lfn2pfn_algorithm', 'verify_checksum'] as const;

/**
 * An RSE with the attributes of an import; null leaves an attribute as it is (spec/rses.md 1.30). Pure: writes nothing.
 */
export function syncAttributes(rse: NewRse, given: ImportedRse, method: SyncMethod): NewRse {
  const wanted = new Map(Object.entries(given.attributes ?? {}));
  for (const key of recordAttributes) wanted.set(key, given[key] ?? wanted.get(key));

  const attributes = new Map<string, RseAttribute>(Object.entries(rse.attributes));
  for (const [key, value] of wanted) {
    if (value === null || value === undefined) continue;
    if (method !== 'append' || !attributes.has(key)) attributes.set(key, toRseAttribute(key, value));
  }
  if (method === 'hard') {
    for (const key of attributes.keys()) if (!wanted.has(key) && key !== rse.rse) attributes.delete(key);
  }
  return { ...rse, attributes: Object.fromEntries(attributes) };
}
