import { ReplicaChanges } from '../../../lib/domain/locks/replica-changes.ts';
import { buildRule } from '../../../lib/domain/rules/new-rule.ts';
import { getDids, type Replica, type ReplicaLock } from '../../../lib/store/entities/did.ts';
import { getRule, insertRule, type NewRule, type Rule } from '../../../lib/store/entities/rule.ts';
import { type Catalogue, data } from '../dids/catalogue.ts';

/** A replica as a rule leaves it: its state, and the state of the lock. */
export interface Placed {
  readonly state?: string;
  readonly lock: ReplicaLock['state'];
}

/**
 * A rule on the dataset `ds` with locks on replicas of files on an RSE, as its placement leaves them; a replica that is
 * to be copied is asked for.
 *
 * @returns The id of the rule.
 */
export async function placeRule(
  catalogue: Catalogue,
  rseId: string,
  { locks, ...more }: Partial<NewRule> & { readonly locks: Readonly<Record<string, Placed>> },
): Promise<string> {
  const wish = { copies: 1, rse_expression: Math.random().toString(36), account: 'root' };
  const rule = {
    ...buildRule({ ...data('ds'), type: 'DATASET' }, wish, Date.now()),
    status: 'ACTIVE',
    ...more,
  } as const;
  await catalogue.store.write(async (latest) => {
    const changes = new ReplicaChanges(Date.now());
    for (const file of await getDids(latest, Object.keys(locks).map(data))) {
      const { state, lock } = locks[file.name] ?? { lock: 'O' };
      const before: Replica = file.replicas.get(rseId) ?? { state: 'C' };
      const own = { [rule.id]: { state: lock, account: 'root' } };
      const asked = state === 'C' ? { askedBy: rule.id } : {};
      const placed = { ...before, state: state ?? before.state, ...asked, locks: { ...before.locks, ...own } };
      changes.set(file, rseId, placed);
    }
    const counters = Object.values(locks).map(({ lock }) => lock);
    const count = (wanted: string) => counters.filter((lock) => lock === wanted).length;
    const counted = { ...rule, ok: count('O'), replicating: count('R'), stuck: count('S') };
    return [...changes.writes(new Map()), ...insertRule(counted, () => new Error('duplicate'))];
  });
  return rule.id;
}

/** A rule as it is now. */
export async function readRule(catalogue: Catalogue, id: string): Promise<Rule> {
  const rule = await getRule(catalogue.at().store.table, id);
  if (rule === undefined) throw new Error(`there is no rule ${id}`);
  return rule;
}
