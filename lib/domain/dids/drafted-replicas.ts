import type { DidKey } from '../../contract/schemas/did.ts';
import { LockState, ReplicaState } from '../../contract/schemas/states.ts';
import type { Did, NewDid, NewFileDid, Replica } from '../../store/entities/did.ts';
import { insertRseContent } from '../../store/entities/rse-content.ts';
import { LostRace, type Write } from '../../store/items/plan.ts';
import { noteListing, planListing } from '../locks/deletable-list.ts';
import { renewReplica } from '../locks/fresh-replica.ts';
import { PathWrites } from '../locks/path-writes.ts';
import { UsageChanges } from '../locks/usage-changes.ts';
import { DidMap } from '../values/did-map.ts';
import { formatDid } from '../values/format-did.ts';
import { countReplicaLocks } from '../values/replica-state.ts';

/** The replicas that a draft adds, and the writes that follow from them outside the items of their files. */
export class DraftedReplicas {
  readonly #now: number;
  /** By file, then by the id of their RSE. */
  readonly #placed = new DidMap<Map<string, Replica>>();
  /** Existing files of which a replica is uploaded anew. */
  readonly #renewed = new DidMap<true>();
  readonly #usage = new UsageChanges();
  readonly #paths = new PathWrites();
  readonly #writes: Write[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  /**
   * Adds a replica of a file on an RSE. One that exists stays, but is new if it had a tombstone.
   *
   * @throws InvalidPath (400) if another file of the draft has its path.
   */
  add(file: NewFileDid, rseId: string, replica: Replica): void {
    const former = file.replicas.get(rseId);
    if (former !== undefined && (former.tombstone === undefined || countReplicaLocks(former) > 0)) return;
    const placed = this.#placed.ensure(file, () => new Map<string, Replica>());
    if (placed.has(rseId)) return;
    if (former !== undefined) {
      placed.set(rseId, noteListing(former, this.#renew(former, replica), this.#now));
      this.#renewed.set(file, true);
      return;
    }
    placed.set(rseId, noteListing(undefined, replica, this.#now));
    const onConflict = () => new LostRace(`${formatDid(file)} got a replica on ${rseId} concurrently`);
    this.#writes.push(insertRseContent(rseId, file, file.bytes, this.#now, onConflict));
    this.#writes.push(...this.#paths.plan(rseId, file, undefined, replica));
    this.#usage.replica(rseId, file.bytes ?? 0, 1);
  }

  /** A replica whose file is uploaded anew. One whose deletion was begun and given up has the state that is registered. */
  #renew(former: Replica, { state, tombstone }: Replica): Replica {
    const renewed = { ...renewReplica(former, tombstone), updatedAt: this.#now };
    if (former.state !== ReplicaState.BEING_DELETED) return renewed;
    return { ...renewed, state: former.declared === undefined ? state : ReplicaState.BAD };
  }

  /** Locks an added replica of a new file for a rule of an account. */
  lock(file: NewFileDid, rseId: string, { id, account }: { readonly id: string; readonly account: string }): void {
    const placed = this.of(file);
    const replica = placed.get(rseId);
    if (replica === undefined) throw new Error(`the draft has no replica of ${formatDid(file)} on ${rseId}`);
    const { tombstone: _tombstone, ...kept } = replica;
    const locks = { ...replica.locks, [id]: { state: LockState.OK, account } };
    placed.set(rseId, noteListing(undefined, { ...kept, locks }, this.#now));
    this.#usage.lock(account, rseId, file.bytes ?? 0, 1);
  }

  /** The added replicas of a file, by the id of their RSE. */
  of(did: DidKey): Map<string, Replica> {
    return this.#placed.get(did) ?? new Map<string, Replica>();
  }

  /** Whether a replica of an existing file is uploaded anew. */
  renews(did: DidKey): boolean {
    return this.#renewed.has(did);
  }

  /**
   * The writes of everything that belongs to the replicas beside the files themselves: content and paths of RSEs, usage, and the
   * list of replicas that may be deleted. New replicas with a tombstone are added to that list, replaced ones are removed.
   *
   * @param find Finds a DID as it will be after the draft.
   */
  writes(find: (did: DidKey) => NewDid | Did | undefined): Write[] {
    const listings = this.#placed.entries().flatMap(([did, placed]) => {
      const file = find(did);
      if (file?.type !== 'FILE') return [];
      return [...placed].flatMap(([rseId, one]) => planListing(rseId, file, file.replicas.get(rseId), one));
    });
    return [...this.#writes, ...listings, ...this.#usage.writes()];
  }
}
