import type { DidKey } from '../../contract/schemas/did.ts';
import { didNotFoundError, findDid } from '../../domain/dids/find-did.ts';
import { planDetachment, notAttachedError } from '../../domain/dids/plan-detachment.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Edge, getEdges, hasChildren } from '../../store/entities/edge.ts';

/**
 * Detaches DIDs from a collection, all or nothing, and records them in its history (spec/dids.md 2.7). The collection
 * may be closed. A DID that is listed twice counts once.
 *
 * @throws AccessDenied (401); DataIdentifierNotFound (404) if the collection does not exist or is empty, or if a DID is
 *   not attached to it; UnsupportedOperation (409) if the collection itself is listed.
 */
export async function detachDids(context: Context, parent: DidKey, dids: readonly DidKey[]): Promise<void> {
  await authorize(context, 'detach_dids', parent);
  const children = [...new Map(dids.map((did) => [formatDid(did), did])).values()];
  let at = context.now - 1;
  await context.store.write(async (latest) => {
    // On a retry use another time: the key in the history may be taken by a detachment in the same millisecond.
    at += 1;
    const edges = await requireEdges(latest, parent, children);
    return edges.length > 0 ? planDetachment(parent, edges, at) : [];
  });
}

async function requireEdges(latest: Table, parent: DidKey, children: readonly DidKey[]): Promise<Edge[]> {
  const pairs = children.filter(isValidDid).map((child) => ({ parent, child }));
  const [did, edges] = await Promise.all([
    findDid(latest, parent),
    isValidDid(parent) ? getEdges(latest, pairs) : Promise.resolve([]),
  ]);
  if (did.type === 'FILE') throw didNotFoundError(parent);
  const attached = new Set(edges.map(({ child }) => formatDid(child)));
  if (attached.size === 0 && !(await hasChildren(latest, parent))) {
    fail('DataIdentifierNotFound', `Data identifier '${formatDid(parent)}' has no child data identifiers.`);
  }
  for (const child of children) {
    if (formatDid(child) === formatDid(parent)) fail('UnsupportedOperation', 'Self-detach is not valid.');
    if (!attached.has(formatDid(child))) throw notAttachedError(parent, child);
  }
  return edges;
}
