import { addIntegers, type Integer } from '../integer.ts';
import { putReaperState, type ReaperState } from '../store/entities/reaper-state.ts';
import type { Store } from '../store/open-store.ts';

/** The lease of a step; longer than a step may take. */
const leaseMs = 420_000;

/** Time for which an RSE is skipped after its first refusal; it doubles with each further one in a row. */
const firstRestMs = 600_000;
const maxRestMs = 6 * 3_600_000;

/** Pause before a list is read again, for each entry that was read in vain: a list costs at most some 12,000 reads an hour. */
const restMsPerEntry = 300;
/** A shorter rest is not worth a write. */
const minIdleRestMs = 300_000;
const maxIdleRestMs = 3_600_000;

/** The state at the beginning of a turn. */
interface Begin {
  readonly state: ReaperState | undefined;
  /** Bytes that were deleted since the report. */
  readonly freed: Integer;
  /** The time of the report of the usage, in milliseconds since 1970. */
  readonly reportedAt: number | undefined;
  readonly now: () => number;
}

/**
 * The turn of a process to delete from an RSE: its lease, and the bytes that were deleted since the storage last reported its
 * usage. The bytes of a step are counted before it begins, so that a process that dies has never counted too few.
 */
export class ReaperTurn {
  readonly #store: Store;
  readonly #rseId: string;
  readonly #begin: Begin;
  #state: ReaperState | undefined;
  #freed: Integer;
  #isTaken = false;

  constructor(store: Store, rseId: string, begin: Begin) {
    this.#store = store;
    this.#rseId = rseId;
    this.#begin = begin;
    this.#state = begin.state;
    this.#freed = begin.freed;
  }

  /** Takes or prolongs the lease for a step that will free some bytes; false: another process has taken it. */
  async begin(bytes: Integer): Promise<boolean> {
    this.#freed = addIntegers(this.#freed, bytes);
    this.#isTaken = await this.#save({ leasedUntil: this.#begin.now() + leaseMs, rests: this.#state?.rests });
    return this.#isTaken;
  }

  /** Corrects the bytes of a step by the bytes that it has freed. */
  correct(bytes: Integer): void {
    this.#freed = addIntegers(this.#freed, bytes);
  }

  /** Ends the turn, and leaves the RSE alone for a time that doubles with each refusal in a row. */
  async rest(): Promise<void> {
    const rests = (this.#state?.rests ?? 0) + 1;
    const restUntil = this.#begin.now() + Math.min(maxRestMs, firstRestMs * 2 ** (rests - 1));
    await this.#save({ leasedUntil: 0, rests, restUntil });
  }

  /**
   * Ends the turn; does nothing if it has not begun and the RSE need not be left alone.
   *
   * @param readInVain Entries of the list that were read in vain: with many of them it is left alone, for an hour at most.
   */
  async end(readInVain = 0): Promise<void> {
    const restMs = Math.min(maxIdleRestMs, readInVain * restMsPerEntry);
    const isIdle = restMs > minIdleRestMs;
    if (!this.#isTaken && !isIdle) return;
    await this.#save({ leasedUntil: 0, ...(isIdle ? { restUntil: this.#begin.now() + restMs } : {}) });
  }

  async #save(next: { leasedUntil: number; rests?: number | undefined; restUntil?: number }): Promise<boolean> {
    const { reportedAt } = this.#begin;
    const { leasedUntil, rests, restUntil } = next;
    const content = {
      leasedUntil,
      ...(rests === undefined ? {} : { rests }),
      ...(restUntil === undefined ? {} : { restUntil }),
      ...(reportedAt === undefined ? {} : { reportedAt, freed: this.#freed }),
    };
    try {
      await this.#store.write(async () => [putReaperState(this.#rseId, content, this.#state, () => new Superseded())]);
    } catch (error) {
      if (!(error instanceof Superseded)) throw error;
      return false;
    }
    this.#state = { ...content, version: (this.#state?.version ?? 0) + 1 };
    return true;
  }
}

/** Another process has taken the turn. */
class Superseded extends Error {
  override readonly name = 'Superseded';
}
