import type { Difference } from './compare.ts';
import type { Exchange } from './exchange.ts';
import type { JudgedRequest } from './request.ts';

/** A difference, and where it was seen: in the answers to a request, or in a stream. */
export interface Occurrence extends Difference {
  readonly request?: JudgedRequest;
  readonly exchange?: Exchange;
}

/** A difference that is meant: the left engine answers as AWS's DynamoDB does, DynamoDB Local does not. */
export interface KnownDifference {
  readonly reason: string;
  /** Where AWS documents it, or which public test, checked against AWS, expects it. */
  readonly reference: string;
  matches(occurrence: Occurrence): boolean;
}
