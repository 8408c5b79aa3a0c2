import type { ImportedRse } from '../../contract/schemas/fleet.ts';
import type { NewRse, RseAttribute } from '../../store/entities/rse.ts';
import { toAttribute } from '../rses/attribute-value.ts';
import type { SyncMethod } from './sync-method.ts';

/** Members of the record that are attributes too. */
const recordAttributes = ['lfn2pfn_algorithm', 'verify_checksum'] as const;

/**
 * An RSE with the attributes of an import; those that are null it leaves as they are (spec/rses.md 1.30). Pure: nothing
 * is written.
 */
export function syncAttributes(rse: NewRse, given: ImportedRse, method: SyncMethod): NewRse {
  const wanted = new Map(Object.entries(given.attributes ?? {}));
  for (const key of recordAttributes) wanted.set(key, given[key] ?? wanted.get(key));

  const attributes = new Map<string, RseAttribute>(Object.entries(rse.attributes));
  for (const [key, value] of wanted) {
    if (value === null || value === undefined) continue;
    if (method !== 'append' || !attributes.has(key)) attributes.set(key, toAttribute(value));
  }
  if (method === 'hard') {
    for (const key of attributes.keys()) if (!wanted.has(key) && key !== rse.rse) attributes.delete(key);
  }
  return { ...rse, attributes: Object.fromEntries(attributes) };
}
