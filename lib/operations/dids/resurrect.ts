import type { DidKey } from '../../contract/schemas/did.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { RucioError } from '../../errors.ts';
import { type DeletedDid, dropDeletedDid, getDeletedDids } from '../../store/entities/deleted-did.ts';
import { changeDid, type Did, getDids, insertDid, type NewDid } from '../../store/entities/did.ts';
import { LostRace, type Write } from '../../store/items/plan.ts';

/**
 * Restores DIDs, all or nothing. A deleted DID comes back empty and without free metadata; an expired DID that is not
 * deleted yet loses its lifetime (spec/dids.md 2.23).
 *
 * @throws AccessDenied (401); DataIdentifierNotFound (404) for a DID that is neither deleted nor expired;
 *   DataIdentifierAlreadyExists (409) if a new DID has the same name.
 */
export async function resurrect(context: Context, dids: readonly DidKey[]): Promise<void> {
  await authorize(context, 'resurrect', undefined);
  const wanted = [...new Map(dids.map(({ scope, name }) => [formatDid({ scope, name }), { scope, name }])).values()];
  await context.store.write(async (latest) => {
    const [livingDids, deletedDids] = await Promise.all([getDids(latest, wanted), getDeletedDids(latest, wanted)]);
    const byName = <T extends DidKey>(list: readonly T[]) => new Map(list.map((did) => [formatDid(did), did]));
    const [living, deleted] = [byName(livingDids), byName(deletedDids)];
    return wanted.flatMap((did) =>
      planRestore(did, context.now, living.get(formatDid(did)), deleted.get(formatDid(did))),
    );
  });
}

function planRestore(key: DidKey, now: number, living: Did | undefined, deleted: DeletedDid | undefined): Write[] {
  if (deleted !== undefined) {
    if (living !== undefined) throw alreadyExistsError();
    return [dropDeletedDid(deleted), insertDid(toNewDid(deleted, now), alreadyExistsError)];
  }
  if (living?.expiredAt === undefined || living.expiredAt >= now) {
    throw new RucioError('DataIdentifierNotFound', `Deleted Data identifier '${formatDid(key)}' not found`);
  }
  const conflict = () => new LostRace(`${formatDid(key)} got another lifetime concurrently`);
  const patch = { set: { updatedAt: now }, remove: ['expiredAt'] };
  return [changeDid(key, patch, { when: { expiredAt: living.expiredAt }, onMismatch: conflict })];
}

/**
 * The deleted DID as a new one. A collection starts with empty counters, because its content is gone. A file has no
 * replicas.
 */
function toNewDid({ deletedAt: _at, expiredAt: _expired, ...kept }: DeletedDid, now: number): NewDid {
  if (kept.type === 'FILE') return { ...kept, updatedAt: now, meta: {}, replicas: new Map() };
  const { events: _events, ...collection } = kept;
  return { ...collection, length: 0, bytes: 0, updatedAt: now, meta: {} };
}

function alreadyExistsError(): RucioError {
  return new RucioError('DataIdentifierAlreadyExists', 'Data Identifier already exists!');
}
