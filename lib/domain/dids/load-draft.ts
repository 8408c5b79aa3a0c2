import type { DidElement, DidKey } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import { getDids } from '../../store/entities/did.ts';
import { getEdges } from '../../store/entities/edge.ts';
import { getRse, type Rse } from '../../store/entities/rse.ts';
import type { Table } from '../../store/table.ts';
import type { Context } from '../context.ts';
import { requireScope } from '../scopes/require-scope.ts';
import { Draft } from './draft.ts';
import { formatDid, isArchiveName } from './names.ts';

/** What a request wants to put together. */
export interface Attachment {
  readonly parent: DidKey;
  readonly dids: readonly DidElement[];
  readonly rse?: string | null | undefined;
}

/**
 * Reads everything that a request's attachments mention, at once: DIDs, RSEs and, where attachments that exist are to be
 * passed over, the edges.
 *
 * @throws RSENotFound (404); ScopeNotFound (404) for a file that would be registered in an unknown scope.
 */
export async function loadDraft(
  context: Context,
  latest: Table,
  attachments: readonly Attachment[],
  options: { readonly ignoreDuplicate?: boolean; readonly alsoRead?: readonly DidKey[] } = {},
): Promise<{ draft: Draft; rses: ReadonlyMap<string, Rse>; skip: ReadonlySet<string> }> {
  const mentioned = attachments.flatMap(({ parent, dids }) => [parent, ...dids]);
  const pairs = attachments.flatMap(({ parent, dids }) => dids.map((child) => ({ parent, child })));
  const [dids, rses, edges] = await Promise.all([
    getDids(latest, [...mentioned, ...(options.alsoRead ?? [])]),
    findRses(latest, attachments),
    options.ignoreDuplicate === true ? getEdges(latest, pairs) : [],
  ]);
  const draft = new Draft(context.now, dids);
  await requireScopes(context, draft, attachments);
  const skip = new Set(edges.map(({ parent, child }) => `${formatDid(parent)} ${formatDid(child)}`));
  return { draft, rses, skip };
}

async function requireScopes(context: Context, draft: Draft, attachments: readonly Attachment[]): Promise<void> {
  const registered = attachments.filter(({ parent, rse }) => typeof rse === 'string' || isArchiveName(parent.name));
  const unknown = registered.flatMap(({ dids }) => dids.filter((did) => draft.find(did) === undefined));
  const scopes = new Set(unknown.map(({ scope }) => scope));
  await Promise.all([...scopes].map((scope) => requireScope(context, scope)));
}

async function findRses(latest: Table, attachments: readonly Attachment[]): Promise<Map<string, Rse>> {
  const names = new Set(attachments.flatMap(({ rse }) => rse ?? []));
  const found = await Promise.all(
    [...names].map(async (name): Promise<[string, Rse]> => {
      const rse = await getRse(latest, name);
      return [name, rse ?? fail('RSENotFound', `RSE '${name}' cannot be found in vo 'def'`)];
    }),
  );
  return new Map(found);
}
