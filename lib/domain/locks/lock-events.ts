import { defined } from '../../defined.ts';
import type { Table } from '../../store/batches/table.ts';
import type { Did, Replica, ReplicaLock } from '../../store/entities/did.ts';
import { changeRule, getRules, type Rule, settledRule } from '../../store/entities/rule.ts';
import type { Write } from '../../store/items/plan.ts';
import { releaseLock } from './release.ts';
import { ReplicaChanges } from './replica-changes.ts';
import { cutError, stuckFor } from './verdict.ts';

/** Why a rule is stuck whose file cannot be copied from anywhere. */
export const missingSource = 'MissingSourceReplica';

/**
 * What happens to replicas that rules keep, and through them to the locks and the rules (spec/replication.md 3.5). The
 * state of a rule follows from its counters; here a rule gets the error with which it became stuck and is noted for repair,
 * and loses the error when nothing of it is stuck any more. Locks of rules that there are no more go.
 */
export class LockEvents {
  readonly changes: ReplicaChanges;
  readonly #rules: ReadonlyMap<string, Rule>;
  readonly #now: number;
  /** What became of rules besides their counters. */
  readonly #errors = new Map<string, string | undefined>();
  readonly #unbound = new Set<string>();

  private constructor(rules: ReadonlyMap<string, Rule>, now: number) {
    this.#rules = rules;
    this.#now = now;
    this.changes = new ReplicaChanges(now);
  }

  /**
   * Reads the rules of the locks on some replicas; without locks nothing is read.
   *
   * @param replicas Those to which something is going to happen, and maybe more.
   * @param now In milliseconds since 1970.
   */
  static async on(latest: Table, replicas: Iterable<Replica | undefined>, now: number): Promise<LockEvents> {
    const ids = new Set<string>();
    for (const replica of replicas) for (const id of Object.keys(replica?.locks ?? {})) ids.add(id);
    // As they are by now: a lock that is seen may be of a bulk request that a view opened before would not show.
    return new LockEvents(ids.size === 0 ? new Map<string, Rule>() : await getRules(latest.latest(), ids), now);
  }

  /** A replica of a file with all changes so far. */
  replicaOf(file: Did, rseId: string): Replica | undefined {
    return this.changes.replicasOf(file).get(rseId);
  }

  /** Says what a replica is from now on, apart from its locks. */
  set(file: Did, rseId: string, replica: Replica): void {
    for (const ruleId of Object.keys(replica.locks ?? {})) {
      if (this.#rules.has(ruleId)) continue;
      releaseLock(this.changes, { file, rseId, ruleId, rule: undefined, now: this.#now });
    }
    const { tombstone, locks } = this.replicaOf(file, rseId) ?? {};
    const { askedBy, tombstone: own = tombstone, locks: _locks, ...rest } = replica;
    // Only what is still to be copied is asked for.
    const isAskedFor = askedBy !== undefined && replica.state === 'C';
    const kept = defined({ locks, tombstone: own, askedBy: isAskedFor ? askedBy : undefined });
    this.changes.set(file, rseId, { ...rest, ...kept, updatedAt: this.#now });
  }

  /** The replica is there: so is what the rules wait for. */
  arrived(file: Did, rseId: string): void {
    this.#setLocks(file, rseId, 'O');
  }

  /** The replica is not there and does not come: its locks are stuck, and so are their rules. */
  failed(file: Did, rseId: string, error: string | undefined): void {
    for (const ruleId of this.#setLocks(file, rseId, 'S')) this.#errors.set(ruleId, error);
  }

  /** The replica is to be copied again, from wherever there is another one. */
  lost(file: Did, rseId: string): void {
    const [askedBy] = this.#setLocks(file, rseId, 'R');
    const replica = this.replicaOf(file, rseId);
    if (askedBy === undefined || replica === undefined) return;
    this.changes.set(file, rseId, { ...replica, state: 'C', askedBy });
    for (const ruleId of Object.keys(replica.locks ?? {})) this.#unbound.add(ruleId);
  }

  /** The writes that bring everything about. */
  writes(): Write[] {
    const rules = this.#changeRules();
    const counted = [...this.#rules].filter(([id]) => !rules.has(id));
    return [...this.changes.writes(new Map(counted)), ...[...rules.values()].flat()];
  }

  /** @returns The rules that have a lock on the replica. */
  #setLocks(file: Did, rseId: string, state: ReplicaLock['state']): string[] {
    const replica = this.replicaOf(file, rseId);
    const locks = Object.entries(replica?.locks ?? {});
    if (replica === undefined || locks.length === 0) return [];
    const changed = locks.map(([id, lock]): [string, ReplicaLock] => [id, { ...lock, state }]);
    this.changes.set(file, rseId, { ...replica, locks: Object.fromEntries(changed) });
    return locks.map(([id]) => id);
  }

  /** The changes of rules that are more than counting. */
  #changeRules(): ReadonlyMap<string, readonly Write[]> {
    const counters = this.changes.counters();
    const writes = new Map<string, readonly Write[]>();
    for (const [id, rule] of this.#rules) {
      const add = counters.get(id);
      const isLoose = rule.stuck + (add?.['stuck'] ?? 0) === 0;
      const { set, remove } = this.#becomes(rule, isLoose);
      if (Object.keys(set).length === 0 && remove.length === 0) continue;
      const patch = { set: { ...set, updatedAt: this.#now }, remove, ...(add === undefined ? {} : { add }) };
      // What gets loose must not take the error away of what gets stuck meanwhile.
      const change = changeRule(id, patch, isLoose ? { when: settledRule(rule) } : {});
      writes.set(id, set['stuckAt'] === undefined ? [change] : [change, stuckFor(id, this.#now)]);
    }
    return writes;
  }

  #becomes(rule: Rule, isLoose: boolean): { readonly set: Record<string, unknown>; readonly remove: string[] } {
    const { id, status, stuck, stuckAt, error, sourceReplicaExpression } = rule;
    const set: Record<string, unknown> = {};
    const remove = this.#unbound.has(id) && sourceReplicaExpression !== undefined ? ['sourceReplicaExpression'] : [];
    // Others say by themselves why they are as they are.
    if (status !== 'ACTIVE') return { set, remove };
    if (isLoose) {
      if (stuckAt !== undefined) remove.push('stuckAt');
      if (error !== undefined) remove.push('error');
    } else if (this.#errors.has(id)) {
      const text = this.#errors.get(id);
      if (text !== undefined) set['error'] = cutError(text);
      else if (error !== undefined) remove.push('error');
      if (stuck === 0) set['stuckAt'] = this.#now;
    }
    return { set, remove };
  }
}
