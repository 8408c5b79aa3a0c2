import type { Context } from '../../lib/domain/values/context.ts';

/** The cost of an operation. */
export interface Figures {
  /** Sequential round trips: requests sent while no other one was under way. */
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
  /** Upper bounds; a missing member is not bounded. */
  readonly budget?: Partial<Figures>;
  /** Bounds above the budget, and why. */
  readonly exception?: Partial<Figures> & { readonly why: string };
  /** The least possible units: those of the answer, packed without gaps. */
  readonly floor?: Partial<Pick<Figures, 'rru' | 'wru'>>;
  /** Why the answer grows with the catalogue; all other operations must cost the same in every catalogue. */
  readonly grows?: string;
}
