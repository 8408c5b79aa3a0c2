import type { ApiError } from '../../api/client.ts';
import { getPage } from '../../api/client.ts';
import { useDelayed, useLoad } from '../../load.ts';

const typingMs = 300;
/** Each RSE that is shown asks for its space. */
export const shownRses = 25;

/** The RSEs that an expression means now. */
export interface MatchingRses {
  readonly names: readonly string[];
  /** There are more than are shown. */
  readonly hasMore: boolean;
}

/** State of the lookup of an expression. */
export interface Lookup {
  readonly value: MatchingRses | undefined;
  readonly error: ApiError | undefined;
  /** It is that of the present expression, not of one before the last key. */
  readonly isCurrent: boolean;
}

/** Reads what an expression means, once typing pauses; without a value while it is loading, and without an expression. */
export function useMatchingRses(expression: string): Lookup {
  const wanted = expression.trim();
  const settled = useDelayed(wanted, typingMs);
  const { value, error } = useLoad(`rses ${settled}`, async (signal) =>
    settled === '' ? undefined : getPage('/rses', shownRses, undefined, { query: { expression: settled }, signal }),
  );
  return {
    value: value && { names: value.rows.map(({ rse }) => rse), hasMore: value.next !== undefined },
    error,
    isCurrent: wanted === settled,
  };
}

/** Whether an expression means at least as many RSEs as there are to be copies. */
export function areEnough({ names, hasMore }: MatchingRses, copies: number): boolean {
  return hasMore || names.length >= copies;
}

/** The RSEs of a rule for those that the reader has ticked; all if none is. */
export function narrowTo(matching: MatchingRses, picked: readonly string[]): MatchingRses {
  return picked.length === 0 ? matching : { names: picked, hasMore: false };
}
