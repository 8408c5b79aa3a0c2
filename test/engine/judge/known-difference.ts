import type { Difference } from './compare.ts';
import type { Exchange } from './exchange.ts';
import type { JudgedRequest } from './request.ts';
import type { Effect } from './settle.ts';
import type { State } from './state.ts';

/** The answers to a request, and what it did. */
export interface Outcome extends Exchange {
  readonly effects: readonly Effect[];
  /** The items after the request. */
  readonly state: State;
}

/** A difference, and where it was seen: in the answers to a request, or in a stream. */
export interface Occurrence extends Difference {
  readonly request?: JudgedRequest;
  readonly exchange?: Outcome;
}

/** A difference that is meant: the left engine answers as AWS's DynamoDB does, DynamoDB Local does not. */
export interface KnownDifference {
  readonly reason: string;
  /** Where AWS documents it, or which public test, checked against AWS, expects it. */
  readonly reference: string;
  matches(occurrence: Occurrence): boolean;
}
