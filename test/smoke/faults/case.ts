import type { Fault } from '../faulty-proxy.ts';

/** A fault of a deployment, and the line that tells it. */
export interface Case {
  readonly what: string;
  readonly fault: Fault;
  readonly line: string;
  readonly came: RegExp;
  readonly advice: RegExp;
  /** Lines beside it that pass. */
  readonly passes?: readonly string[];
  readonly isTls?: boolean;
}
