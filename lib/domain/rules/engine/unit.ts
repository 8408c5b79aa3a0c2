import { addIntegers, type Integer } from '../../../integer.ts';
import type { Replica } from '../../../store/entities/did.ts';

/** Files that are placed on the same RSEs, as far as the choice of these depends on them. */
export interface Unit {
  /** In bytes. */
  readonly size: Integer;
  /** Bytes that are on an RSE already or on the way there, by the id of the RSE. */
  readonly held: ReadonlyMap<string, Integer>;
  /** RSEs from which one of the files is being deleted. */
  readonly blocked: ReadonlySet<string>;
}

/** A unit as it lies in the position of a task. */
export interface UnitRecord {
  readonly size: Integer;
  readonly held: Readonly<Record<string, Integer>>;
  readonly blocked: readonly string[];
}

/** A file as it counts in a unit. */
export interface CountedFile {
  readonly bytes?: Integer;
  readonly replicas: ReadonlyMap<string, Replica>;
}

const present: ReadonlySet<string> = new Set(['A', 'C', 'T']);

/** The unit of files. */
export function unitOf(files: Iterable<CountedFile>): Unit {
  const count = new UnitCount();
  for (const file of files) count.add(file);
  return count.unit();
}

/** Adds up a unit, file by file, as long as it takes. */
export class UnitCount {
  #size: Integer;
  readonly #held: Map<string, Integer>;
  readonly #blocked: Set<string>;

  /** @param record What was counted before. */
  constructor({ size, held, blocked }: UnitRecord = { size: 0, held: {}, blocked: [] }) {
    this.#size = size;
    this.#held = new Map(Object.entries(held));
    this.#blocked = new Set(blocked);
  }

  /** Counts a file in. */
  add({ bytes = 0, replicas }: CountedFile): void {
    this.#size = addIntegers(this.#size, bytes);
    for (const [rseId, { state }] of replicas) {
      if (state === 'B') this.#blocked.add(rseId);
      else if (present.has(state)) this.#held.set(rseId, addIntegers(this.#held.get(rseId) ?? 0, bytes));
    }
  }

  /** The unit so far. */
  unit(): Unit {
    return { size: this.#size, held: this.#held, blocked: this.#blocked };
  }

  /** The same, to be kept. */
  record(): UnitRecord {
    return { size: this.#size, held: Object.fromEntries(this.#held), blocked: [...this.#blocked] };
  }
}
