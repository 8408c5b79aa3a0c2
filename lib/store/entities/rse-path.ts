import type { DidKey } from '../../contract/schemas/did.ts';
import { RucioError } from '../../errors.ts';
import { normalizePath } from '../../paths.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { textOfKey } from '../keys/key-parts.ts';
import { didOfContent, isPathOwner, replicaKeys } from '../keys/replica-keys.ts';
import type { Replica } from './did.ts';

/** A path on an RSE. */
export interface RsePath {
  readonly rseId: string;
  readonly path: string;
}

/** The files with a replica at a path of an RSE, in that spelling; strongly consistent. Costs a read and a query. */
export async function findByExactPath(table: Table, rseId: string, path: string): Promise<DidKey[]> {
  const owners = await table.getMany([replicaKeys.path(rseId, path)]);
  const exact = owners.filter((item) => bare(String(item['path'])) === bare(path)).map(ownerOf);
  return [...exact, ...(await findShared(table, rseId, path))];
}

/** The files to which some paths on RSEs belong, in whatever spelling; those that belong to none are left out. */
export async function getPathOwners(
  table: Table,
  places: readonly RsePath[],
): Promise<(RsePath & { readonly did: DidKey })[]> {
  const byKey = new Map(places.map((place) => [textOfKey(replicaKeys.path(place.rseId, place.path)), place]));
  const items = await table.getMany(places.map(({ rseId, path }) => replicaKeys.path(rseId, path)));
  return items.flatMap((item) => {
    const place = byKey.get(textOfKey(item));
    return place === undefined ? [] : [{ rseId: place.rseId, path: place.path, did: ownerOf(item) }];
  });
}

/**
 * The files with a replica at a path of an RSE, in whatever spelling it belongs to one; imported ones in this
 * spelling, or in the normal form. Strongly consistent. Costs a read and a query or two.
 */
export async function findByPath(table: Table, rseId: string, path: string): Promise<DidKey[]> {
  const plain = normalizePath(path);
  const spellings = new Set([path, plain].map(bare));
  const [owners, ...shared] = await Promise.all([
    table.getMany([replicaKeys.path(rseId, path)]),
    ...Array.from(spellings, (spelling) => findShared(table, rseId, spelling)),
  ]);
  return [...owners.map(ownerOf), ...shared.flat()];
}

async function findShared(table: Table, rseId: string, path: string): Promise<DidKey[]> {
  const files: DidKey[] = [];
  for await (const item of table.query({ pk: replicaKeys.sharedPathPartition(rseId, path) })) {
    if (!isPathOwner(item)) files.push(didOfContent(item));
  }
  return files;
}

/**
 * The write that gives a path on an RSE to a file, in all spellings; its condition is that it belongs to no other. The replica
 * must carry `ownsPath`.
 *
 * @param isRetried Whether the plan is made again where the path belongs to another; otherwise it fails.
 */
export function insertRsePath(rseId: string, path: string, { scope, name }: DidKey, isRetried = false): Insert {
  return {
    kind: 'insert',
    item: { ...replicaKeys.path(rseId, path), scope, name, path },
    onExists: (existing) => {
      const owner = ownerOf(existing);
      if (isRetried || (owner.scope === scope && owner.name === name)) return makeRaceError();
      const message = `The path '${path}' of ${scope}:${name} belongs to ${owner.scope}:${owner.name} on this RSE`;
      return new RucioError('InvalidPath', message);
    },
  };
}

/** The write that enters a file under the path of its replica, which others may have too: of a catalogue that allowed it. */
export function insertSharedRsePath(rseId: string, path: string, did: DidKey): Insert {
  return { kind: 'insert', item: { ...replicaKeys.sharedPath(rseId, path, did) }, onExists: makeRaceError };
}

/** The write that spells the path of a file anew, which owns it. */
export function changeRsePath(rseId: string, path: string, { scope, name }: DidKey): Change {
  const patch = { set: { path } };
  return {
    kind: 'change',
    key: replicaKeys.path(rseId, path),
    patch,
    when: { scope, name },
    onMismatch: makeRaceError,
  };
}

/** The writes that remove a file from the path of its replica. */
export function deleteRsePath(rseId: string, { path, ownsPath }: Replica, did: DidKey): Change[] {
  if (path === undefined) return [];
  const { scope, name } = did;
  const removal = { kind: 'change', patch: { delete: true }, onMismatch: makeRaceError } as const;
  return ownsPath === true
    ? [{ ...removal, key: replicaKeys.path(rseId, path), when: { scope, name } }]
    : [{ ...removal, key: replicaKeys.sharedPath(rseId, path, did) }];
}

const ownerOf = (item: Item): DidKey => ({ scope: String(item['scope']), name: String(item['name']) });

const bare = (path: string) => path.replace(/^\/+/, '');

const makeRaceError = () => new LostRace('the path of a replica changed');
