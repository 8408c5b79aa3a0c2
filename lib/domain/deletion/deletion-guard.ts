import { isDeepStrictEqual } from 'node:util';

import { type FileDid, getFiles } from '../../store/entities/did.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import type { Rse } from '../../store/entities/rse.ts';
import type { Store } from '../../store/open-store.ts';
import { countReplicaLocks } from '../values/replica-state.ts';
import { findSharers } from './find-sharers.ts';
import { isMarked } from './mark-replicas.ts';

/**
 * Verdict about a file on a storage: `delete` it; `leave` it, since it belongs to another DID as well, and delete the
 * replica alone; `keep` both, since the replica was claimed meanwhile; `stop`, and delete nothing more.
 */
export type Verdict = 'delete' | 'leave' | 'keep' | 'stop';

/** Input of a guard. */
interface Terms {
  /** The RSE in the state in which it was read when the step began. */
  readonly rse: Rse;
  /** The id of the mark. */
  readonly mark: string;
  /** Whether anything may be deleted from an RSE as it is. */
  readonly mayReap: (rse: Rse) => boolean;
  /** Whether there is time left. */
  readonly mayGoOn: () => boolean;
}

/**
 * Reads the table directly before each step that cannot be undone. So a process that was asleep or slow does not delete a file that
 * was marked again, claimed or uploaded meanwhile, and it stops if the RSE was switched off or changed. Costs two read units for
 * each file, and on a non-deterministic RSE a query.
 */
export class DeletionGuard {
  readonly #store: Store;
  readonly #terms: Terms;
  #isStopped = false;
  #error: unknown;

  constructor(store: Store, terms: Terms) {
    [this.#store, this.#terms] = [store, terms];
  }

  /** Whether nothing more is to be deleted. */
  get isOver(): boolean {
    return this.#isStopped || !this.#terms.mayGoOn();
  }

  /** Whether the reaper must stop: the RSE was changed or switched off, or the table could not be read. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Why the table could not be read, if that was the reason. */
  get error(): unknown {
    return this.#error;
  }

  /** Judges a marked file. */
  async judge(file: FileDid): Promise<Verdict> {
    if (this.isOver) return 'stop';
    try {
      const verdict = await this.#look(file);
      if (verdict === 'stop') this.#isStopped = true;
      // Reading may have taken long.
      return this.isOver ? 'stop' : verdict;
    } catch (error) {
      this.#isStopped = true;
      this.#error ??= error;
      return 'stop';
    }
  }

  async #look(file: FileDid): Promise<Verdict> {
    const { rse, mark, mayReap } = this.#terms;
    const latest = this.#store.begin().table.latest();
    const [{ byId }, [present]] = await Promise.all([getFleet(latest), getFiles(latest, [file])]);
    const now = byId.get(rse.id);
    if (now === undefined || now.deletedAt !== undefined || !mayReap(now) || !isSame(now, rse)) return 'stop';
    const replica = present?.replicas.get(rse.id);
    if (present === undefined || !isMarked(replica, mark) || countReplicaLocks(replica) > 0) return 'keep';
    return (await findSharers(latest, rse, present)).length > 0 ? 'leave' : 'delete';
  }
}

/** Whether an RSE has the same files at the same places, and frees as much space, as before. */
function isSame(now: Rse, before: Rse): boolean {
  if (now === before) return true;
  const partsOf = ({ protocols, attributes, limits, deterministic, stagingArea }: Rse) => [
    protocols,
    attributes,
    limits,
    deterministic,
    stagingArea,
  ];
  return isDeepStrictEqual(partsOf(now), partsOf(before));
}
