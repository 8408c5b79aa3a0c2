import { ReplicaState } from '../../../contract/schemas/states.ts';
import { addIntegers, type Integer } from '../../../integer.ts';
import type { Replica } from '../../../store/entities/did.ts';

/** Files that are placed on the same RSEs: the sums on which the choice of these RSEs depends. */
export interface Unit {
  /** In bytes. */
  readonly size: Integer;
  /** Bytes that an RSE holds or will get by a transfer, by the id of the RSE. */
  readonly held: ReadonlyMap<string, Integer>;
  /** Ids of the RSEs from which one of the files is being deleted. */
  readonly blocked: ReadonlySet<string>;
}

/** A unit in the form that a task stores in its position. */
export interface UnitRecord {
  readonly size: Integer;
  readonly held: Readonly<Record<string, Integer>>;
  readonly blocked: readonly string[];
}

/** Attributes of a file that count in a unit. */
export interface CountedFile {
  readonly bytes?: Integer;
  readonly replicas: ReadonlyMap<string, Replica>;
}

const present: ReadonlySet<ReplicaState> = new Set([
  ReplicaState.AVAILABLE,
  ReplicaState.COPYING,
  ReplicaState.TEMPORARY_UNAVAILABLE,
]);

/** Sums up files to a unit. */
export function sumUnit(files: Iterable<CountedFile>): Unit {
  const count = new UnitCounter();
  for (const file of files) count.add(file);
  return count.unit();
}

/** Sums up a unit file by file, over several steps if need be. */
export class UnitCounter {
  #size: Integer;
  readonly #held: Map<string, Integer>;
  readonly #blocked: Set<string>;

  /** @param record The sums of earlier steps. */
  constructor({ size, held, blocked }: UnitRecord = { size: 0, held: {}, blocked: [] }) {
    this.#size = size;
    this.#held = new Map(Object.entries(held));
    this.#blocked = new Set(blocked);
  }

  /** Adds a file. */
  add({ bytes = 0, replicas }: CountedFile): void {
    this.#size = addIntegers(this.#size, bytes);
    for (const [rseId, { state }] of replicas) {
      if (state === ReplicaState.BEING_DELETED) this.#blocked.add(rseId);
      else if (present.has(state)) this.#held.set(rseId, addIntegers(this.#held.get(rseId) ?? 0, bytes));
    }
  }

  /** The unit so far. */
  unit(): Unit {
    return { size: this.#size, held: this.#held, blocked: this.#blocked };
  }

  /** The sums so far, to be stored. */
  record(): UnitRecord {
    return { size: this.#size, held: Object.fromEntries(this.#held), blocked: [...this.#blocked] };
  }
}
