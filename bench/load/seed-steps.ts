import { times } from './catalogue.ts';
import type { LoadRequest } from './client.ts';

/** One request of a phase; its key says in the record of progress that it is done. */
export interface SeedStep {
  readonly key: string;
  /** How many of the phase's things it makes. */
  readonly units: number;
  readonly request: () => LoadRequest;
}

/** Requests that may run in parallel, after the phases before. */
export interface SeedPhase {
  readonly name: string;
  readonly isSerial?: boolean;
  readonly steps: readonly SeedStep[];
}

/** A step that makes one thing. */
export function makeStep(key: string, request: LoadRequest): SeedStep {
  return { key, units: 1, request: () => request };
}

/** The bounds of parts of at most `size`. */
export function chunks(count: number, size: number): (readonly [from: number, to: number])[] {
  return times(Math.ceil(count / size), (index) => [index * size, Math.min(count, (index + 1) * size)] as const);
}
