import { LockState, ReplicaState } from '../../../lib/contract/schemas/states.ts';
import { ReplicaChanges } from '../../../lib/domain/locks/replica-changes.ts';
import { buildRule } from '../../../lib/domain/rules/new-rule.ts';
import { getFiles, type Replica, type ReplicaLock } from '../../../lib/store/entities/did.ts';
import { insertRule } from '../../../lib/store/entities/rule-writes.ts';
import { getRule, type NewRule, type Rule } from '../../../lib/store/entities/rule.ts';
import { type Catalogue, data } from '../dids/catalogue.ts';

/** The state of a replica that a rule locks, and of the lock. */
export interface Placed {
  readonly state?: ReplicaState;
  readonly lock: ReplicaLock['state'];
}

/**
 * Inserts a rule on the dataset `ds` with locks on replicas of files on an RSE, as after its placement. Replicas in the
 * state COPYING get a request.
 *
 * @returns The id of the rule.
 */
export async function placeRule(
  catalogue: Catalogue,
  rseId: string,
  { locks, ...more }: Partial<NewRule> & { readonly locks: Readonly<Record<string, Placed>> },
): Promise<string> {
  const input = { copies: 1, rse_expression: Math.random().toString(36), account: 'root' };
  const rule = {
    ...buildRule({ ...data('ds'), type: 'DATASET' }, input, Date.now()),
    status: 'ACTIVE',
    ...more,
  } as const;
  await catalogue.store.write(async (latest) => {
    const changes = new ReplicaChanges(Date.now());
    for (const file of await getFiles(latest, Object.keys(locks).map(data))) {
      const { state, lock } = locks[file.name] ?? { lock: LockState.OK };
      const before: Replica = file.replicas.get(rseId) ?? { state: ReplicaState.COPYING };
      const own = { [rule.id]: { state: lock, account: 'root' } };
      const asked = state === ReplicaState.COPYING ? { askedBy: rule.id } : {};
      const placed = { ...before, state: state ?? before.state, ...asked, locks: { ...before.locks, ...own } };
      changes.set(file, rseId, placed);
    }
    const counters = Object.values(locks).map(({ lock }) => lock);
    const count = (wanted: string) => counters.filter((lock) => lock === wanted).length;
    const counted = {
      ...rule,
      ok: count(LockState.OK),
      replicating: count(LockState.REPLICATING),
      stuck: count(LockState.STUCK),
    };
    return [...changes.writes(new Map()), ...insertRule(counted, () => new Error('duplicate'))];
  });
  return rule.id;
}

/** Reads a rule. */
export async function readRule(catalogue: Catalogue, id: string): Promise<Rule> {
  const rule = await getRule(catalogue.at().store.table, id);
  if (rule === undefined) throw new Error(`there is no rule ${id}`);
  return rule;
}
