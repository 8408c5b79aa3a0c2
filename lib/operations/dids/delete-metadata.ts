import type { DidKey } from '../../contract/schemas/did.ts';
import { isColumnKey } from '../../domain/dids/sort-metadata.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { fail } from '../../errors.ts';
import { requireSettled } from '../../store/entities/did-conditions.ts';
import { removeMetaPatch } from '../../store/entities/did-metadata.ts';
import { changeDid, getDid } from '../../store/entities/did.ts';
import { LostRace } from '../../store/items/plan.ts';

/**
 * Deletes a free metadata key of a DID (spec/dids.md 2.17). Unlike Rucio, this requires the permission to set
 * metadata.
 *
 * @throws AccessDenied (401); KeyNotFound (404) without a key, or if the DID lacks it; DataIdentifierNotFound (404) for
 *   an unknown DID or one without free metadata; NotImplementedError (409) for a column.
 */
export async function deleteMetadata(context: Context, did: DidKey, key: string | undefined): Promise<void> {
  await authorize(context, 'set_metadata', did);
  if (key === undefined) fail('KeyNotFound', 'No key provided to remove');
  if (isColumnKey(key)) fail('NotImplementedError', 'Feature not in current database');
  await context.store.write(async (latest) => {
    const found = isValidDid(did) ? await getDid(latest, did) : undefined;
    if (found === undefined || Object.keys(found.meta).length === 0) {
      fail('DataIdentifierNotFound', `Key not found for data identifier '${formatDid(did)}'`);
    }
    if (!Object.hasOwn(found.meta, key)) fail('KeyNotFound', key);
    const conflict = () => new LostRace(`${formatDid(did)} was changed concurrently`);
    return [changeDid(did, removeMetaPatch(key, context.now), { when: requireSettled(found), onMismatch: conflict })];
  });
}
