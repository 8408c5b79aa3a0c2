import type { Did, Replica, ReplicaLock } from '../../../store/entities/did.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import type { Rule } from '../../../store/entities/rule.ts';
import { missingSource } from '../../locks/lock-events.ts';
import { lockOf } from '../../locks/release.ts';
import type { ReplicaChanges } from '../../locks/replica-changes.ts';
import { formatDid } from '../../values/format-did.ts';
import { beingDeleted, fileIsFull, notWritable } from './texts.ts';

/** A rule that is being placed. */
export interface Placing {
  readonly rule: Pick<Rule, 'id' | 'account' | 'copies'>;
  /** The RSEs of its expression, by id. */
  readonly rses: ReadonlyMap<string, Pick<Rse, 'availabilityWrite'>>;
  /** Where it takes copies from, by id; undefined: anywhere. */
  readonly sources: ReadonlySet<string> | undefined;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** What is in the way of a lock. */
export interface Obstacle {
  readonly reason: string;
  /** The lock is not even there: the file cannot hold it. */
  readonly isUnlocked?: true;
}

/** Of two obstacles the one that matters: what keeps a lock from being there at all, else the first. */
export function worse(one: Obstacle | undefined, other: Obstacle | undefined): Obstacle | undefined {
  return one?.isUnlocked === true ? one : other?.isUnlocked === true ? other : (one ?? other);
}

/** How many locks a rule has on the replicas of a file. */
export function countLocks(replicas: ReadonlyMap<string, Replica>, ruleId: string): number {
  return [...replicas.values()].filter((replica) => lockOf(replica, ruleId) !== undefined).length;
}

/**
 * Locks a file on RSEs, as far as it is not locked there yet and has fewer locks of the rule than that wants copies
 * (spec/replication.md 3.3).
 *
 * @returns What is in the way of a lock; undefined: nothing.
 */
export function placeFile(
  changes: ReplicaChanges,
  placing: Placing,
  file: Did,
  rseIds: readonly string[],
): Obstacle | undefined {
  const { rule } = placing;
  const replicas = changes.replicasOf(file);
  let missing = rule.copies - countLocks(replicas, rule.id);
  let obstacle: Obstacle | undefined;
  for (const rseId of rseIds) {
    if (missing <= 0) break;
    const replica = replicas.get(rseId);
    if (lockOf(replica, rule.id) !== undefined) continue;
    const placed = lockReplica(placing, file, { rseId, replica });
    if (!changes.hasRoom(file, rseId, placed)) return { reason: fileIsFull(formatDid(file)), isUnlocked: true };
    if (lockOf(placed, rule.id)?.state === 'S')
      obstacle ??= { reason: obstacleTo(placing, file, rseId) ?? missingSource };
    changes.set(file, rseId, placed);
    missing -= 1;
  }
  return obstacle;
}

interface Place {
  readonly rseId: string;
  readonly replica: Replica | undefined;
}

function lockReplica(placing: Placing, file: Did, { rseId, replica }: Place): Replica {
  const { rule, now } = placing;
  if (replica === undefined) {
    const made = { createdAt: now, account: rule.account };
    return canCopy(placing, file, rseId)
      ? locked(rule, { ...made, state: 'C', askedBy: rule.id }, 'R')
      : locked(rule, { ...made, state: 'U' }, 'S');
  }
  const { tombstone: _tombstone, ...kept } = replica;
  switch (replica.state) {
    case 'A':
    case 'T':
      return locked(rule, kept, 'O');
    case 'U':
      return canCopy(placing, file, rseId)
        ? locked(rule, { ...kept, state: 'C', askedBy: rule.id, updatedAt: now }, 'R')
        : locked(rule, replica, 'S');
    default:
      return locked(rule, kept, 'R');
  }
}

function locked({ id, account }: Placing['rule'], replica: Replica, state: ReplicaLock['state']): Replica {
  return { ...replica, locks: { ...replica.locks, [id]: { state, account } } };
}

/** Whether a file can be copied to an RSE: that can be written to, and the file lies where the rule takes copies from. */
export function canCopy(placing: Placing, file: Pick<Did, 'replicas'>, rseId: string): boolean {
  return obstacleTo(placing, file, rseId) === undefined;
}

/** Why a file cannot be copied to an RSE; undefined: it can. */
export function obstacleTo(
  { rses, sources }: Placing,
  { replicas }: Pick<Did, 'replicas'>,
  rseId: string,
): string | undefined {
  if (rses.get(rseId)?.availabilityWrite !== true) return notWritable;
  const isBad = replicas.get(rseId)?.state === 'D';
  const hasSource = [...replicas].some(
    ([id, { state }]) => state === 'A' && (sources === undefined || sources.has(id)),
  );
  // Without a word on sources copies may come from anywhere; of what is bad nobody else may have one.
  return hasSource || (sources === undefined && !isBad) ? undefined : missingSource;
}

/**
 * Brings the locks of a rule on a file in line with its replicas (spec/replication.md 3.9, ADR 0011 "Repair"): what has
 * arrived is OK, what is on its way is waited for, and what can be copied is asked for once more.
 *
 * @returns Why a lock is stuck after that; undefined: none is.
 */
export function repairFile(changes: ReplicaChanges, placing: Placing, file: Did): Obstacle | undefined {
  let obstacle: Obstacle | undefined;
  for (const [rseId, replica] of changes.replicasOf(file)) {
    const lock = lockOf(replica, placing.rule.id);
    if (lock === undefined) continue;
    const { repaired, because } = repairReplica(placing, file, { rseId, replica });
    if (because !== undefined) obstacle ??= { reason: because };
    if (repaired === replica) continue;
    if (changes.hasRoom(file, rseId, repaired)) changes.set(file, rseId, repaired);
    else obstacle = { reason: fileIsFull(formatDid(file)), isUnlocked: true };
  }
  return obstacle;
}

interface Repaired {
  readonly repaired: Replica;
  readonly because?: string;
}

function repairReplica(placing: Placing, file: Did, place: Place & { readonly replica: Replica }): Repaired {
  const { rule, now } = placing;
  const { rseId, replica } = place;
  switch (replica.state) {
    case 'A':
    case 'T':
      return { repaired: relocked(rule, replica, 'O') };
    case 'C':
      return { repaired: relocked(rule, replica, 'R') };
    case 'B':
      return { repaired: relocked(rule, replica, 'S'), because: beingDeleted };
    default: {
      const because = obstacleTo(placing, file, rseId);
      if (because !== undefined) return { repaired: relocked(rule, replica, 'S'), because };
      const { tombstone: _tombstone, ...kept } = replica;
      return { repaired: relocked(rule, { ...kept, state: 'C', askedBy: rule.id, updatedAt: now }, 'R') };
    }
  }
}

function relocked(rule: Placing['rule'], replica: Replica, state: ReplicaLock['state']): Replica {
  const lock = lockOf(replica, rule.id);
  return lock?.state === state ? replica : locked({ ...rule, account: lock?.account ?? rule.account }, replica, state);
}
