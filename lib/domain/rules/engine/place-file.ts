import type { Did, Replica, ReplicaLock } from '../../../store/entities/did.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import type { Rule } from '../../../store/entities/rule.ts';
import type { ReplicaChanges } from '../../replicas/replica-changes.ts';
import { lockOf } from './release.ts';

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

/** How many locks a rule has on the replicas of a file. */
export function countLocks(replicas: ReadonlyMap<string, Replica>, ruleId: string): number {
  return [...replicas.values()].filter((replica) => lockOf(replica, ruleId) !== undefined).length;
}

/**
 * Locks a file on RSEs, as far as it is not locked there yet and has fewer locks of the rule than that wants copies
 * (spec/replication.md 3.3).
 */
export function placeFile(changes: ReplicaChanges, placing: Placing, file: Did, rseIds: readonly string[]): void {
  const { rule } = placing;
  const replicas = changes.replicasOf(file);
  let missing = rule.copies - countLocks(replicas, rule.id);
  for (const rseId of rseIds) {
    if (missing <= 0) return;
    const replica = replicas.get(rseId);
    if (lockOf(replica, rule.id) !== undefined) continue;
    changes.set(file, rseId, lockReplica(placing, file, { rseId, replica }));
    missing -= 1;
  }
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
export function canCopy({ rses, sources }: Placing, { replicas }: Pick<Did, 'replicas'>, rseId: string): boolean {
  if (rses.get(rseId)?.availabilityWrite !== true) return false;
  return sources === undefined || [...replicas].some(([id, { state }]) => state === 'A' && sources.has(id));
}

/**
 * Tries again what is stuck of a file (spec/replication.md 3.9): what has arrived is locked, and what can be copied is
 * asked for once more.
 */
export function repairFile(changes: ReplicaChanges, placing: Placing, file: Did): void {
  const { rule, now } = placing;
  for (const [rseId, replica] of changes.replicasOf(file)) {
    if (lockOf(replica, rule.id)?.state !== 'S') continue;
    if (replica.state === 'A' || replica.state === 'T') changes.set(file, rseId, locked(rule, replica, 'O'));
    else if (replica.state === 'U' && canCopy(placing, file, rseId)) {
      const { tombstone: _tombstone, ...kept } = replica;
      changes.set(file, rseId, locked(rule, { ...kept, state: 'C', askedBy: rule.id, updatedAt: now }, 'R'));
    }
  }
}
