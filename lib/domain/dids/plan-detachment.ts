import type { DidKey } from '../../contract/schemas/did.ts';
import { RucioError } from '../../errors.ts';
import { addIntegers, type Integer, negate } from '../../integer.ts';
import { changeDid } from '../../store/entities/did.ts';
import { detachEdge, type Edge, insertHistory } from '../../store/entities/edge.ts';
import { LostRace, type Write } from '../../store/items/plan.ts';
import { formatDid } from '../values/format-did.ts';
import { didNotFoundError } from './find-did.ts';

/**
 * The writes that detach children from one collection: the edges go into the history, the collection shrinks.
 *
 * @param raced What to throw where collection or edge is not there any more, for a caller that has just seen them; absent:
 *   DataIdentifierNotFound.
 */
export function planDetachment(parent: DidKey, edges: readonly Edge[], now: number, raced?: () => Error): Write[] {
  const shrunk = changeDid(
    parent,
    { set: { updatedAt: now }, add: computeShrinkage(edges) },
    { onMismatch: raced ?? (() => didNotFoundError(parent)) },
  );
  return [
    shrunk,
    ...moveEdgesToHistory(edges, now, (edge) => (raced === undefined ? notAttachedError(parent, edge.child) : raced())),
  ];
}

/** What a collection's sizes change by when children are detached. */
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

/** The writes that end attachments and keep them in the history; what they were attached to needs one of its own. */
export function moveEdgesToHistory(edges: readonly Edge[], now: number, onMissing: (edge: Edge) => Error): Write[] {
  return [
    ...edges.map((edge) => detachEdge(edge, (isThere) => (isThere ? changed(edge) : onMissing(edge)))),
    ...edges.map((edge) => insertHistory(edge, now)),
  ];
}

function changed({ parent, child }: Edge): LostRace {
  return new LostRace(`${formatDid(child)} was attached anew to ${formatDid(parent)}, or described anew, meanwhile`);
}

export function notAttachedError(parent: DidKey, child: DidKey): RucioError {
  return new RucioError(
    'DataIdentifierNotFound',
    `Data identifier '${formatDid(child)}' not found under '${formatDid(parent)}'`,
  );
}
