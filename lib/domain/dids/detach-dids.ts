import type { DidKey } from '../../contract/schemas/did.ts';
import { fail, RucioError } from '../../errors.ts';
import { addIntegers, type Integer, negate } from '../../integer.ts';
import { changeDid } from '../../store/entities/did.ts';
import { detachEdge, type Edge, getEdges, hasChildren, insertHistory } from '../../store/entities/edge.ts';
import { LostRace, type Write } from '../../store/plan.ts';
import type { Table } from '../../store/table.ts';
import { authorize } from '../authorize.ts';
import type { Context } from '../context.ts';
import { didNotFound, findDid } from './find.ts';
import { formatDid } from './format-did.ts';
import { isValidDid } from './names.ts';

/**
 * Detaches DIDs from a collection, all or nothing, open or closed; what was attached goes into the history (spec/dids.md
 * 2.7). A DID that is listed twice counts once.
 *
 * @throws AccessDenied (401); DataIdentifierNotFound (404) when there is no such collection, when it is empty or when a
 *   DID is not attached to it; UnsupportedOperation (409) when it is to be detached from itself.
 */
export async function detachDids(context: Context, parent: DidKey, dids: readonly DidKey[]): Promise<void> {
  await authorize(context, 'detach_dids', parent);
  const children = [...new Map(dids.map((did) => [formatDid(did), did])).values()];
  let at = context.now - 1;
  await context.store.write(async (latest) => {
    // Another one of the same millisecond has a place in the history already.
    at += 1;
    const edges = await findEdges(latest, parent, children);
    return edges.length > 0 ? detachment(parent, edges, at) : [];
  });
}

/**
 * The writes that detach children from one collection: the edges go into the history, the collection shrinks.
 *
 * @param raced What to throw where collection or edge is not there any more, for a caller that has just seen them; absent:
 *   DataIdentifierNotFound.
 */
export function detachment(parent: DidKey, edges: readonly Edge[], now: number, raced?: () => Error): Write[] {
  const shrunk = changeDid(
    parent,
    { set: { updatedAt: now }, add: shrinkage(edges) },
    { onMismatch: raced ?? (() => didNotFound(parent)) },
  );
  return [
    shrunk,
    ...endOfEdges(edges, now, (edge) => (raced === undefined ? notAttached(parent, edge.child) : raced())),
  ];
}

/** What a collection's sizes change by when children are detached. */
export function shrinkage(edges: readonly Edge[]): Readonly<Record<string, Integer>> {
  const sum = (sizeOf: (edge: Edge) => Integer) => negate(edges.map(sizeOf).reduce(addIntegers, 0));
  const events = sum((edge) => edge.events ?? 0);
  return {
    length: sum(({ type, length }) => (type === 'FILE' ? 1 : (length ?? 0))),
    bytes: sum((edge) => edge.bytes ?? 0),
    ...(events === 0 ? {} : { events }),
    shrinks: 1,
  };
}

/** The writes that end attachments and keep them in the history; what they were attached to needs one of its own. */
export function endOfEdges(edges: readonly Edge[], now: number, onMissing: (edge: Edge) => Error): Write[] {
  return [
    ...edges.map((edge) => detachEdge(edge, (isThere) => (isThere ? changed(edge) : onMissing(edge)))),
    ...edges.map((edge) => insertHistory(edge, now)),
  ];
}

function changed({ parent, child }: Edge): LostRace {
  return new LostRace(`${formatDid(child)} was attached anew to ${formatDid(parent)}, or described anew, meanwhile`);
}

async function findEdges(latest: Table, parent: DidKey, children: readonly DidKey[]): Promise<Edge[]> {
  const pairs = children.filter(isValidDid).map((child) => ({ parent, child }));
  const [did, edges] = await Promise.all([
    findDid(latest, parent),
    isValidDid(parent) ? getEdges(latest, pairs) : Promise.resolve([]),
  ]);
  if (did.type === 'FILE') throw didNotFound(parent);
  const attached = new Set(edges.map(({ child }) => formatDid(child)));
  if (attached.size === 0 && !(await hasChildren(latest, parent))) {
    fail('DataIdentifierNotFound', `Data identifier '${formatDid(parent)}' has no child data identifiers.`);
  }
  for (const child of children) {
    if (formatDid(child) === formatDid(parent)) fail('UnsupportedOperation', 'Self-detach is not valid.');
    if (!attached.has(formatDid(child))) throw notAttached(parent, child);
  }
  return edges;
}

function notAttached(parent: DidKey, child: DidKey): RucioError {
  return new RucioError(
    'DataIdentifierNotFound',
    `Data identifier '${formatDid(child)}' not found under '${formatDid(parent)}'`,
  );
}
