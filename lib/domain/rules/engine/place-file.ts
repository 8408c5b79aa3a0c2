import { LockState, ReplicaState } from '../../../contract/schemas/states.ts';
import { defined } from '../../../defined.ts';
import type { FileDid, Replica } from '../../../store/entities/did.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import type { Rule } from '../../../store/entities/rule.ts';
import { makerOf } from '../../locks/freed-by.ts';
import { missingSource } from '../../locks/lock-updates.ts';
import { findLock, releaseLock } from '../../locks/release-lock.ts';
import type { ReplicaChanges } from '../../locks/replica-changes.ts';
import { formatDid } from '../../values/format-did.ts';
import { beingDeleted, fileIsFull, notMatching, notWritable } from './messages.ts';
import type { PathClaim, PathClaims } from './path-claims.ts';

/** A rule during its placement. */
export interface Placing {
  readonly rule: Pick<Rule, 'id' | 'account' | 'copies'>;
  /** The RSEs of its expression, by id. */
  readonly rses: ReadonlyMap<string, Pick<Rse, 'availabilityWrite'>>;
  /** The ids of its source RSEs; undefined: any RSE. */
  readonly sources: ReadonlySet<string> | undefined;
  /** The paths of its files there, loaded for each RSE on which a file is placed or repaired. */
  readonly claims: Pick<PathClaims, 'claim'>;
  /** The names of RSEs that its expression does not name, by id; absent: nothing is locked there. */
  readonly outside?: ReadonlyMap<string, string>;
  /** Why nothing can be copied at present. */
  readonly hindrance?: string;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** Why a lock is stuck or missing. */
export interface Obstacle {
  readonly reason: string;
  /** Set if the lock is missing altogether: the file has no room for it, or its replica is being deleted. */
  readonly isUnlocked?: true;
}

/**
 * Why a replica that is being deleted gets no lock (spec/replication.md 1.9): a lock would keep it from being deleted if the
 * first attempt fails, and nobody would copy the file again.
 */
const deletionUnderWay: Obstacle = { reason: beingDeleted, isUnlocked: true };

/** The worse of two obstacles: one by which a lock is missing, otherwise the first. */
export function pickWorse(one: Obstacle | undefined, other: Obstacle | undefined): Obstacle | undefined {
  return one?.isUnlocked === true ? one : other?.isUnlocked === true ? other : (one ?? other);
}

/** The number of locks that a rule has on the replicas of a file. */
export function countLocks(replicas: ReadonlyMap<string, Replica>, ruleId: string): number {
  return [...replicas.values()].filter((replica) => findLock(replica, ruleId) !== undefined).length;
}

/**
 * Locks a file on RSEs, until it has as many locks of the rule as the rule asks for copies (spec/replication.md 3.3).
 * Skips RSEs on which it is locked already.
 *
 * @returns Why a lock is stuck or missing; undefined: none is.
 */
export function placeFile(
  changes: ReplicaChanges,
  placing: Placing,
  file: FileDid,
  rseIds: readonly string[],
): Obstacle | undefined {
  const { rule } = placing;
  const replicas = changes.replicasOf(file);
  let missing = rule.copies - countLocks(replicas, rule.id);
  let obstacle: Obstacle | undefined;
  for (const rseId of rseIds) {
    if (missing <= 0) break;
    const replica = replicas.get(rseId);
    if (findLock(replica, rule.id) !== undefined) continue;
    if (replica?.state === ReplicaState.BEING_DELETED) {
      obstacle = pickWorse(obstacle, deletionUnderWay);
      continue;
    }
    const { repaired, reason } = lockReplica(placing, file, { rseId, replica });
    if (!changes.hasRoomFor(file, rseId, repaired)) return { reason: fileIsFull(formatDid(file)), isUnlocked: true };
    if (reason !== undefined) obstacle ??= { reason };
    changes.set(file, rseId, repaired);
    missing -= 1;
  }
  return obstacle;
}

interface TargetReplica {
  readonly rseId: string;
  readonly replica: Replica | undefined;
}

/** A replica, present or new, with a lock of the rule. */
function lockReplica(placing: Placing, file: FileDid, { rseId, replica }: TargetReplica): Repair {
  const { rule, now } = placing;
  if (replica === undefined) {
    const created = { createdAt: now, account: rule.account };
    const { place, reason } = findPlace(placing, file, { rseId });
    return reason === undefined
      ? { repaired: withLock(rule, { ...created, ...place, ...copyAskedBy(rule) }, LockState.REPLICATING) }
      : { repaired: withLock(rule, { ...created, state: ReplicaState.UNAVAILABLE }, LockState.STUCK), reason };
  }
  const locked = withLock(rule, replica, LockState.STUCK);
  const { repaired, reason } = repairReplica(placing, file, { rseId, replica: locked });
  if (reason !== undefined) return { repaired, reason };
  return { repaired: withoutTombstone(file, repaired) };
}

/** A replica that rules keep. It could be deleted before, so the end of these rules shall not make it stay. */
function withoutTombstone(file: FileDid, replica: Replica): Replica {
  const { tombstone, ...kept } = replica;
  if (tombstone === undefined || kept.freedBy !== undefined) return kept;
  return { ...kept, freedBy: [makerOf(file, replica)] };
}

const copyAskedBy = ({ id }: Placing['rule']) => ({ state: ReplicaState.COPYING, askedBy: id });

function withLock({ id, account }: Placing['rule'], replica: Replica, state: LockState): Replica {
  return { ...replica, locks: { ...replica.locks, [id]: { state, account } } };
}

/**
 * The reason why a file cannot be copied to an RSE; undefined: the RSE is one of the expression and writable, and one of the rule's sources has the
 * file.
 */
export function findObstacle(
  { rses, sources, outside, hindrance }: Placing,
  { replicas }: Pick<FileDid, 'replicas'>,
  rseId: string,
): string | undefined {
  const left = outside?.get(rseId);
  if (left !== undefined) return notMatching(left);
  if (hindrance !== undefined) return hindrance;
  if (rses.get(rseId)?.availabilityWrite !== true) return notWritable;
  const isBad = replicas.get(rseId)?.state === ReplicaState.BAD;
  const hasSource = [...replicas].some(
    ([id, { state }]) => state === ReplicaState.AVAILABLE && (sources === undefined || sources.has(id)),
  );
  // Without a source expression a copy may come from anywhere, even from outside the catalogue. But of a bad replica
  // nobody else may have a copy.
  return hasSource || (sources === undefined && !isBad) ? undefined : missingSource;
}

/** The path that a copy claims, if another DID could have the same one, or the reason why the file cannot be copied to an RSE. */
function findPlace(
  placing: Placing,
  file: FileDid,
  { rseId, replica }: Pick<TargetReplica, 'rseId'> & { readonly replica?: Replica },
): PathClaim {
  const reason = findObstacle(placing, file, rseId);
  if (reason !== undefined) return { reason };
  return replica?.path === undefined ? placing.claims.claim(rseId, file) : {};
}

/**
 * Brings the locks of a rule on a file in line with its replicas (spec/replication.md 3.9, ADR 0011 "Repair"): an
 * available replica makes its lock OK, a replica being copied makes it REPLICATING, and a missing one is requested
 * again if it can be copied. A replica that is being deleted loses its lock.
 *
 * @returns Why a lock is still stuck or missing; undefined: none is.
 */
export function repairFile(changes: ReplicaChanges, placing: Placing, file: FileDid): Obstacle | undefined {
  let obstacle: Obstacle | undefined;
  for (const [rseId, replica] of changes.replicasOf(file)) {
    const lock = findLock(replica, placing.rule.id);
    if (lock === undefined) continue;
    if (replica.state === ReplicaState.BEING_DELETED) {
      const { rule, now } = placing;
      releaseLock(changes, { file, rseId, ruleId: rule.id, rule: { purgeReplicas: true }, now });
      obstacle = pickWorse(obstacle, deletionUnderWay);
      continue;
    }
    const { repaired, reason } = repairReplica(placing, file, { rseId, replica });
    if (reason !== undefined) obstacle ??= { reason };
    if (repaired === replica) continue;
    if (changes.hasRoomFor(file, rseId, repaired)) changes.set(file, rseId, repaired);
    else obstacle = { reason: fileIsFull(formatDid(file)), isUnlocked: true };
  }
  return obstacle;
}

interface Repair {
  readonly repaired: Replica;
  readonly reason?: string;
}

/** @param target Its replica is not being deleted. */
function repairReplica(placing: Placing, file: FileDid, target: TargetReplica & { readonly replica: Replica }): Repair {
  const { rule, now } = placing;
  const { rseId, replica } = target;
  switch (replica.state) {
    case ReplicaState.AVAILABLE:
    case ReplicaState.TEMPORARY_UNAVAILABLE:
      return { repaired: withLockState(rule, replica, LockState.OK) };
    case ReplicaState.COPYING: {
      const { failed } = replica;
      // It stays asked for. Its mover says when it can be made.
      if (failed?.waits === true && findLock(replica, rule.id)?.state === LockState.STUCK)
        return { repaired: replica, reason: failed.error ?? missingSource };
      const asked = isAbandoned(file, { rseId, replica }, now)
        ? { ...replica, ...copyAskedBy(rule), updatedAt: now }
        : replica;
      return { repaired: withLockState(rule, asked, LockState.REPLICATING) };
    }
    default: {
      const { place, reason } = findPlace(placing, file, { rseId, replica });
      if (reason !== undefined) return { repaired: withLockState(rule, replica, LockState.STUCK), reason };
      const { failed, ...kept } = withoutTombstone(file, replica);
      // Why nobody could make a copy that was cancelled may not be true of the next one.
      const asked = { ...kept, ...place, ...(failed?.waits === true ? {} : defined({ failed })), ...copyAskedBy(rule) };
      return { repaired: withLockState(rule, { ...asked, updatedAt: now }, LockState.REPLICATING) };
    }
  }
}

/** How long an upload may take before a copy is asked for in its place. */
const uploadTimeMs = 86_400_000;

/** Whether a replica that is on its way will not come any more: no rule has asked for a copy, and an upload would have ended. */
function isAbandoned({ createdAt, replicas }: FileDid, { rseId, replica }: TargetReplica, now: number): boolean {
  const { askedBy, updatedAt, createdAt: begun = createdAt } = replica ?? {};
  if (askedBy !== undefined || (updatedAt ?? begun) > now - uploadTimeMs) return false;
  return [...replicas].some(([id, { state }]) => id !== rseId && state === ReplicaState.AVAILABLE);
}

function withLockState(rule: Placing['rule'], replica: Replica, state: LockState): Replica {
  const lock = findLock(replica, rule.id);
  return lock?.state === state
    ? replica
    : withLock({ ...rule, account: lock?.account ?? rule.account }, replica, state);
}
