import type { DidElement, DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { getDids } from '../../store/entities/did.ts';
import { getEdges } from '../../store/entities/edge.ts';
import { listParentCollections } from '../../store/entities/parents.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { requireCachedRse } from '../rses/find-rse.ts';
import { requireScope } from '../scopes/require-scope.ts';
import type { Context } from '../values/context.ts';
import { isArchiveName, isValidDid } from '../values/did-names.ts';
import { formatDid } from '../values/format-did.ts';
import { DidDraft } from './did-draft.ts';
import { RegistrationPermission } from './registration-permission.ts';

/** Children that a request attaches to a parent. */
export interface Attachment {
  readonly parent: DidKey;
  readonly dids: readonly DidElement[];
  readonly rse?: string | null | undefined;
}

/** The state that is read before the attachments of a request are drafted. */
export interface LoadedDraft {
  readonly draft: DidDraft;
  readonly permission: RegistrationPermission;
  readonly rses: ReadonlyMap<string, Rse>;
  readonly skip: ReadonlySet<string>;
  readonly holders: ReadonlyMap<string, readonly DidKey[]>;
}

/**
 * Reads in parallel what the attachments of a request name: RSEs, and DIDs if there are children. The parent datasets
 * of archives that get constituents are read as well, because they are marked. With `ignoreDuplicate` the existing
 * attachments are read after the DIDs. With `byPath` the caller named paths, and an error tells the scope that follows.
 *
 * @throws RSENotFound (404); ScopeNotFound (404) for a new file in an unknown scope.
 */
export async function loadDraft(
  context: Context,
  latest: Table,
  attachments: readonly Attachment[],
  options: { readonly ignoreDuplicate?: boolean; readonly byPath?: boolean } = {},
): Promise<LoadedDraft> {
  const filled = attachments.filter(({ dids }) => dids.length > 0);
  const holders = await findHolders(latest, filled);
  const mentioned = filled.flatMap(({ parent, dids }) => [parent, ...dids]);
  const pairs = filled.flatMap(({ parent, dids }) => dids.map((child) => ({ parent, child })));
  const [dids, rses] = await Promise.all([
    getDids(latest, [...mentioned, ...[...holders.values()].flat()].filter(isValidDid)),
    findRses(latest, attachments),
  ]);
  const draft = new DidDraft(context.now, dids, options);
  const isKnown = (did: DidKey) => draft.find(did) !== undefined;
  const mayExist = pairs.filter((pair) => isKnown(pair.parent) && isKnown(pair.child));
  const [edges] = await Promise.all([
    // Must be read after the parents: a detachment in between changes their counter `shrinks`.
    options.ignoreDuplicate === true ? getEdges(latest.latest(), mayExist) : [],
    requireScopes(context, draft, filled, options.byPath),
  ]);
  const skip = new Set(edges.map(({ parent, child }) => `${formatDid(parent)} ${formatDid(child)}`));
  return { draft, permission: new RegistrationPermission(context), rses, skip, holders };
}

async function findHolders(latest: Table, attachments: readonly Attachment[]): Promise<Map<string, DidKey[]>> {
  const archives = attachments.map(({ parent }) => parent).filter((parent) => isArchiveName(parent.name));
  const found = await Promise.all(
    archives.filter(isValidDid).map(async (archive): Promise<[string, DidKey[]]> => {
      return [formatDid(archive), await Array.fromAsync(listParentCollections(latest, archive))];
    }),
  );
  return new Map(found);
}

async function requireScopes(
  context: Context,
  draft: DidDraft,
  attachments: readonly Attachment[],
  byPath = false,
): Promise<void> {
  const registered = attachments.filter(({ parent, rse }) => typeof rse === 'string' || isArchiveName(parent.name));
  const unknown = registered.flatMap(({ dids }) => dids.filter((did) => draft.find(did) === undefined));
  const scopes = new Map(unknown.map((did) => [did.scope, did]));
  await Promise.all(Array.from(scopes, ([scope, did]) => requireScope(context, scope, byPath ? did : undefined)));
}

async function findRses(latest: Table, attachments: readonly Attachment[]): Promise<Map<string, Rse>> {
  const names = new Set(attachments.flatMap(({ rse }) => rse ?? []));
  const found = Array.from(names, async (name) => [name, await requireCachedRse(latest, name)] as const);
  return new Map(await Promise.all(found));
}
