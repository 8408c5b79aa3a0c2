import type { DidKey } from '../../contract/schemas/did.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { RucioError } from '../../errors.ts';
import { type DeletedDid, dropDeletedDid, getDeletedDids } from '../../store/entities/deleted-did.ts';
import { changeDid, type Did, getDids, insertDid } from '../../store/entities/did.ts';
import { LostRace, type Write } from '../../store/items/plan.ts';

/**
 * Brings DIDs back, all or none: a deleted one as it was, but empty and without free metadata; one whose lifetime is over
 * and that is still there keeps on living (spec/dids.md 2.23).
 *
 * @throws AccessDenied (401); DataIdentifierNotFound (404) for what was neither deleted nor has expired;
 *   DataIdentifierAlreadyExists (409) when there is a new DID of the same name.
 */
export async function resurrect(context: Context, dids: readonly DidKey[]): Promise<void> {
  await authorize(context, 'resurrect', undefined);
  const wanted = [...new Map(dids.map(({ scope, name }) => [formatDid({ scope, name }), { scope, name }])).values()];
  await context.store.write(async (latest) => {
    const [living, deleted] = await Promise.all([getDids(latest, wanted), getDeletedDids(latest, wanted)]);
    const byName = <T extends DidKey>(list: readonly T[]) => new Map(list.map((did) => [formatDid(did), did]));
    const [alive, dead] = [byName(living), byName(deleted)];
    return wanted.flatMap((did) => revive(did, context.now, alive.get(formatDid(did)), dead.get(formatDid(did))));
  });
}

function revive(key: DidKey, now: number, alive: Did | undefined, dead: DeletedDid | undefined): Write[] {
  if (dead !== undefined) {
    if (alive !== undefined) throw alreadyExists();
    return [dropDeletedDid(dead), insertDid(reborn(dead, now), alreadyExists)];
  }
  if (alive?.expiredAt === undefined || alive.expiredAt >= now) {
    throw new RucioError('DataIdentifierNotFound', `Deleted Data identifier '${formatDid(key)}' not found`);
  }
  const raced = () => new LostRace(`${formatDid(key)} was given another lifetime meanwhile`);
  const patch = { set: { updatedAt: now }, remove: ['expiredAt'] };
  return [changeDid(key, patch, { when: { expiredAt: alive.expiredAt }, onMismatch: raced })];
}

/**
 * The content of a collection is gone, so what was counted of it starts anew; a counter that lies could never be put
 * right. A file comes back without replicas.
 */
function reborn({ deletedAt: _at, expiredAt: _expired, ...kept }: DeletedDid, now: number) {
  const { events: _events, ...rest } = kept;
  const same = kept.type === 'FILE' ? kept : { ...rest, length: 0, bytes: 0 };
  return { ...same, updatedAt: now, meta: {}, replicas: new Map<string, never>() };
}

function alreadyExists(): RucioError {
  return new RucioError('DataIdentifierAlreadyExists', 'Data Identifier already exists!');
}
