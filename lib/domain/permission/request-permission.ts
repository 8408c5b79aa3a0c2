import { pythonRepr } from '../values/python-text.ts';

/** Requests between RSEs, by their names. */
export interface OfRequests {
  readonly sources: readonly string[];
  readonly destinations: readonly string[];
}

/** Says who may not list requests (spec/access.md 6.6). */
export const mayNotListRequests = ({ sources, destinations }: OfRequests, account: string) =>
  `${account} cannot list requests from RSEs ${pythonRepr(sources)} to RSEs ${pythonRepr(destinations)}. `;
