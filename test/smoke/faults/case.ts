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
  /** Faults that do not meet are put in together, into one run: those of the same letter. Each has a line of its own. */
  readonly run?: string;
}
