import { LockState, ReplicaState, type RuleStateName } from '../../contract/schemas/states.ts';
import { defined } from '../../defined.ts';
import type { Table } from '../../store/batches/table.ts';
import type { FileDid, Replica, ReplicaLock } from '../../store/entities/did.ts';
import { changeRule, requireSettledRule } from '../../store/entities/rule-writes.ts';
import { getRules, type Rule } from '../../store/entities/rule.ts';
import type { Write } from '../../store/items/plan.ts';
import { stateOfRule } from '../values/rule-state.ts';
import { joinFreedBy } from './freed-by.ts';
import { renewReplica } from './fresh-replica.ts';
import { releaseLock } from './release-lock.ts';
import { ReplicaChanges } from './replica-changes.ts';
import { scheduleRepair, truncateError } from './rule-errors.ts';

/** The error of a stuck rule if a file has no source. */
export const missingSource = 'MissingSourceReplica';

/**
 * Changes of locked replicas, and the resulting changes of locks and rules (spec/replication.md 3.5). The state of a
 * rule follows from its counters. This class also sets the error of a rule that becomes stuck, schedules its repair,
 * and clears the error when no lock is stuck any more. It releases locks of rules that are gone.
 */
export class LockUpdates {
  readonly changes: ReplicaChanges;
  readonly #rules: ReadonlyMap<string, Rule>;
  readonly #now: number;
  /** The errors of rules that become stuck. */
  readonly #errors = new Map<string, string | undefined>();
  readonly #unboundRules = new Set<string>();

  private constructor(rules: ReadonlyMap<string, Rule>, now: number) {
    this.#rules = rules;
    this.#now = now;
    this.changes = new ReplicaChanges(now);
  }

  /**
   * Reads the rules of the locks on some replicas. Reads nothing if there are no locks.
   *
   * @param replicas The replicas that may be changed.
   * @param now In milliseconds since 1970.
   */
  static async open(latest: Table, replicas: Iterable<Replica | undefined>, now: number): Promise<LockUpdates> {
    const ids = new Set<string>();
    for (const replica of replicas) for (const id of Object.keys(replica?.locks ?? {})) ids.add(id);
    // Read the latest state: the lock may come from a batch committed after this view was opened.
    return new LockUpdates(ids.size === 0 ? new Map<string, Rule>() : await getRules(latest.latest(), ids), now);
  }

  /** A replica of a file, with all changes so far. */
  replicaOf(file: FileDid, rseId: string): Replica | undefined {
    return this.changes.replicasOf(file).get(rseId);
  }

  /**
   * Replaces a replica, except for its locks. Call it before the methods that change locks.
   *
   * @param renewed Its file was uploaded again: earlier reasons to delete it are void, and it has the tombstone of a new replica.
   */
  set(file: FileDid, rseId: string, replica: Replica, renewed?: { readonly tombstone: number | undefined }): void {
    const former: Partial<Replica> = this.replicaOf(file, rseId) ?? {};
    const gone = Object.keys(replica.locks ?? {}).filter((ruleId) => !this.#rules.has(ruleId));
    for (const ruleId of gone) releaseLock(this.changes, { file, rseId, ruleId, rule: undefined, now: this.#now });
    const { tombstone, locks, freedBy }: Partial<Replica> = this.replicaOf(file, rseId) ?? {};
    const { askedBy, tombstone: wanted, freedBy: more, locks: _locks, deletionError, mark, ...rest } = replica;
    // Only a replica that is still to be copied has a requester.
    const isAskedFor = askedBy !== undefined && replica.state === ReplicaState.COPYING;
    const isBeingDeleted = replica.state === ReplicaState.BEING_DELETED;
    // What the caller has left as it was is as the releases leave it.
    const own = wanted === undefined || wanted === former.tombstone ? tombstone : wanted;
    const added = more?.filter((account) => former.freedBy?.includes(account) !== true);
    const kept = defined({
      locks,
      tombstone: renewed === undefined ? own : renewed.tombstone,
      freedBy: joinFreedBy(file, freedBy, added),
      askedBy: isAskedFor ? askedBy : undefined,
      deletionError: isBeingDeleted ? deletionError : undefined,
      mark: isBeingDeleted ? mark : undefined,
    });
    const next = { ...rest, ...kept, updatedAt: this.#now };
    this.changes.set(file, rseId, renewed === undefined ? next : renewReplica(next, renewed.tombstone));
  }

  /** The replica is available: its locks become OK. */
  markAvailable(file: FileDid, rseId: string): void {
    this.#setLocks(file, rseId, LockState.OK);
  }

  /** The replica is missing for good: its locks become STUCK, and so do their rules. */
  markFailed(file: FileDid, rseId: string, error: string | undefined): void {
    for (const ruleId of this.#setLocks(file, rseId, LockState.STUCK)) this.#errors.set(ruleId, error);
  }

  /**
   * The replica is on its way: its locks become REPLICATING.
   *
   * @param canBeCopied The file has another replica: the copy is requested, unless it was before. Otherwise somebody uploads it.
   */
  markAwaited(file: FileDid, rseId: string, canBeCopied: boolean): void {
    const [first] = this.#setLocks(file, rseId, LockState.REPLICATING);
    const replica = this.replicaOf(file, rseId);
    if (!canBeCopied || first === undefined || replica === undefined) return;
    this.changes.set(file, rseId, { ...replica, state: ReplicaState.COPYING, askedBy: replica.askedBy ?? first });
  }

  /** The replica was lost: its locks become REPLICATING, and it is requested from any source. */
  markLost(file: FileDid, rseId: string): void {
    this.markAwaited(file, rseId, true);
    for (const ruleId of Object.keys(this.replicaOf(file, rseId)?.locks ?? {})) this.#unboundRules.add(ruleId);
  }

  /** Whether these changes may write a rule. */
  mayWrite(ruleId: string): boolean {
    return this.#rules.has(ruleId);
  }

  /** The rules whose state these changes alter, as they will be unless others change them, too. */
  changedRules(): Rule[] {
    const counters = this.changes.counters();
    return [...this.#rules.values()].flatMap((rule) => {
      const { ok = 0, replicating = 0, stuck = 0 } = counters.get(rule.id) ?? {};
      const after = {
        ...rule,
        ok: rule.ok + ok,
        replicating: rule.replicating + replicating,
        stuck: rule.stuck + stuck,
      };
      return stateOfRule(after) === stateOfRule(rule) ? [] : [after];
    });
  }

  /**
   * The writes of all changes.
   *
   * @param counted The states in which subscriptions now count rules.
   */
  writes(counted: ReadonlyMap<string, RuleStateName> = new Map()): Write[] {
    const rules = this.#changeRules(counted);
    const others = [...this.#rules].filter(([id]) => !rules.has(id));
    return [...this.changes.writes(new Map(others)), ...[...rules.values()].flat()];
  }

  /** @returns The rules that have a lock on the replica. */
  #setLocks(file: FileDid, rseId: string, state: LockState): string[] {
    const replica = this.replicaOf(file, rseId);
    const locks = Object.entries(replica?.locks ?? {});
    if (replica === undefined || locks.length === 0) return [];
    const changed = locks.map(([id, lock]): [string, ReplicaLock] => [id, { ...lock, state }]);
    this.changes.set(file, rseId, { ...replica, locks: Object.fromEntries(changed) });
    return locks.map(([id]) => id);
  }

  /** The changes of rules beyond their counters. */
  #changeRules(counted: ReadonlyMap<string, RuleStateName>): ReadonlyMap<string, readonly Write[]> {
    const counters = this.changes.counters();
    const writes = new Map<string, readonly Write[]>();
    for (const [id, rule] of this.#rules) {
      const add = counters.get(id);
      const hasNoStuckLocks = rule.stuck + (add?.['stuck'] ?? 0) === 0;
      const { set, remove } = this.#decideFields(rule, hasNoStuckLocks);
      const countedAs = counted.get(id);
      const decides = Object.keys(set).length > 0 || remove.length > 0;
      if (!decides && countedAs === undefined) continue;
      const values = { ...set, ...(countedAs === undefined ? {} : { countedAs }), updatedAt: this.#now };
      const patch = { set: values, remove, ...(add === undefined ? {} : { add }) };
      const when = {
        // Clear the error only if no lock became stuck concurrently (optimistic lock on the counters).
        ...(decides && hasNoStuckLocks ? requireSettledRule(rule) : {}),
        ...(countedAs === undefined ? {} : { countedAs: rule.countedAs }),
      };
      const change = changeRule(id, patch, Object.keys(when).length > 0 ? { when } : {});
      writes.set(id, set['stuckAt'] === undefined ? [change] : [change, scheduleRepair(id, this.#now)]);
    }
    return writes;
  }

  #decideFields(
    rule: Rule,
    hasNoStuckLocks: boolean,
  ): { readonly set: Record<string, unknown>; readonly remove: string[] } {
    const { id, status, stuck, stuckAt, error, sourceReplicaExpression } = rule;
    const set: Record<string, unknown> = {};
    const remove =
      this.#unboundRules.has(id) && sourceReplicaExpression !== undefined ? ['sourceReplicaExpression'] : [];
    // Other statuses carry their own reason.
    if (status !== 'ACTIVE') return { set, remove };
    if (hasNoStuckLocks) {
      if (stuckAt !== undefined) remove.push('stuckAt');
      if (error !== undefined) remove.push('error');
    } else if (this.#errors.has(id)) {
      const text = this.#errors.get(id);
      if (text !== undefined) set['error'] = truncateError(text);
      else if (error !== undefined) remove.push('error');
      if (stuck === 0) set['stuckAt'] = this.#now;
    }
    return { set, remove };
  }
}
