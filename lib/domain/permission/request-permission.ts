import { pythonRepr } from '../../python/text.ts';

/** Requests between RSEs, by their names. */
export interface RequestsTarget {
  readonly sources: readonly string[];
  readonly destinations: readonly string[];
}

/** The denial of listing requests (spec/access.md 6.6). */
export const denyListingRequests = ({ sources, destinations }: RequestsTarget, account: string) =>
  `${account} cannot list requests from RSEs ${pythonRepr(sources)} to RSEs ${pythonRepr(destinations)}. `;
