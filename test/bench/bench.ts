import type { Context } from '../../lib/domain/values/context.ts';

/** What an operation costs the table. */
export interface Figures {
  /** Requests that had to wait for another one: sent while nothing was under way. */
  readonly roundTrips: number;
  /** Read request units. */
  readonly rru: number;
  /** Write request units, index writes included. */
  readonly wru: number;
}

/** One operation that is measured. */
export interface Bench {
  readonly what: string;
  readonly run: (context: Context) => Promise<unknown>;
  /** What the design grants at most; what is left out is not bounded. */
  readonly budget?: Partial<Figures>;
  /** What is granted beyond the budget, and why. */
  readonly exception?: Partial<Figures> & { readonly why: string };
  /** Units that no implementation can go below: those of the answer, packed without a gap. */
  readonly floor?: Partial<Pick<Figures, 'rru' | 'wru'>>;
  /** The answer grows with the catalogue, and why; everything else has to cost the same in every catalogue. */
  readonly grows?: string;
}
