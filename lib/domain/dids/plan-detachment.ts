import type { DidKey } from '../../contract/schemas/did.ts';
import { RucioError } from '../../errors.ts';
import { addIntegers, type Integer, negate } from '../../integer.ts';
import { changeDid } from '../../store/entities/did.ts';
import { detachEdge, type Edge, insertHistory } from '../../store/entities/edge.ts';
import { LostRace, type Write } from '../../store/items/plan.ts';
import { formatDid } from '../values/format-did.ts';
import { didNotFoundError } from './find-did.ts';

/**
 * The writes that detach children from one collection: they move the edges into the history and shrink the collection.
 *
 * @param conflictError The error if the collection or an edge is gone, for a caller that has just read them; absent:
 *   DataIdentifierNotFound.
 */
export function planDetachment(
  parent: DidKey,
  edges: readonly Edge[],
  now: number,
  conflictError?: () => Error,
): Write[] {
  const shrunk = changeDid(
    parent,
    { set: { updatedAt: now }, add: computeShrinkage(edges) },
    { onMismatch: conflictError ?? (() => didNotFoundError(parent)) },
  );
  return [
    shrunk,
    ...moveEdgesToHistory(edges, now, (edge) =>
      conflictError === undefined ? notAttachedError(parent, edge.child) : conflictError(),
    ),
  ];
}

/** By how much the sizes of a collection change when children are detached. */
export function computeShrinkage(edges: readonly Edge[]): Readonly<Record<string, Integer>> {
  const sum = (sizeOf: (edge: Edge) => Integer) => negate(edges.map(sizeOf).reduce(addIntegers, 0));
  const events = sum((edge) => edge.events ?? 0);
  return {
    length: sum(({ type, length }) => (type === 'FILE' ? 1 : (length ?? 0))),
    bytes: sum((edge) => edge.bytes ?? 0),
    ...(events === 0 ? {} : { events }),
    shrinks: 1,
  };
}

/** The writes that move edges into the history. The parent needs a write of its own. */
export function moveEdgesToHistory(edges: readonly Edge[], now: number, onMissing: (edge: Edge) => Error): Write[] {
  return [
    ...edges.map((edge) => detachEdge(edge, (isThere) => (isThere ? edgeChangedError(edge) : onMissing(edge)))),
    ...edges.map((edge) => insertHistory(edge, now)),
  ];
}

function edgeChangedError({ parent, child }: Edge): LostRace {
  return new LostRace(`${formatDid(child)} was attached again to ${formatDid(parent)} or changed concurrently`);
}

/** DataIdentifierNotFound (404) for a child that is not attached to the parent. */
export function notAttachedError(parent: DidKey, child: DidKey): RucioError {
  return new RucioError(
    'DataIdentifierNotFound',
    `Data identifier '${formatDid(child)}' not found under '${formatDid(parent)}'`,
  );
}
