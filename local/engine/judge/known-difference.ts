import type { Difference } from './compare.ts';
import type { Exchange } from './exchange.ts';
import type { JudgedRequest } from './request.ts';
import type { Effect } from './settle.ts';
import type { State } from './state.ts';
import type { Trial } from './trials.ts';

/** The answers to a request, and its effects. */
export interface Outcome extends Exchange {
  readonly effects: readonly Effect[];
  /** The items after the request. */
  readonly state: State;
  /** The answers to less than a refused request, unless its differences are known without them. */
  readonly trials: readonly Trial[];
}

/** A difference, and where it occurred: in the answers to a request, or in a stream. */
export interface Occurrence extends Difference {
  readonly request?: JudgedRequest;
  readonly exchange?: Outcome;
}

/** An intended difference: the left engine answers like AWS's DynamoDB, DynamoDB Local does not. */
export interface KnownDifference {
  readonly reason: string;
  /** The AWS documentation, or a public test that was verified against AWS. */
  readonly reference: string;
  matches(occurrence: Occurrence): boolean;
}
