import { runDueWork } from '../../../lib/background/run-work.ts';
/** Shared by the tests of matching: RSEs of tape and disk, subscriptions, and a simulated stream. */
import { clock } from '../../../lib/clock.ts';
import type { DidType, NewDid } from '../../../lib/contract/schemas/did.ts';
import type { SubscriptionChange } from '../../../lib/contract/schemas/subscription-options.ts';
import { matchNewDids } from '../../../lib/domain/subscriptions/engine/match-new-dids.ts';
import { addAccount } from '../../../lib/operations/accounts/add-account.ts';
import { setLimitOnRse } from '../../../lib/operations/accounts/set-account-limits.ts';
import { addSubscription } from '../../../lib/operations/subscriptions/add-subscription.ts';
import { updateSubscription } from '../../../lib/operations/subscriptions/update-subscription.ts';
import { type Did, getDid } from '../../../lib/store/entities/did.ts';
import { listRulesOf, type Rule } from '../../../lib/store/entities/rule.ts';
import { getSubscription, type Subscription } from '../../../lib/store/entities/subscription.ts';
import type { ChangeOf } from '../../../lib/store/stream/change.ts';
import { type Catalogue, data, newCatalogue } from '../dids/catalogue.ts';

/** Attributes of RSEs by name; root and alice have limits on all of them but FULL. */
const rses: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  TAPE1: { medium: 'tape', site: 'one', associated_sites: 'EU1,EU2' },
  TAPE2: { medium: 'tape', site: 'two', associated_sites: 'EU2' },
  EU1: { medium: 'disk', site: 'one', speed: '1' },
  EU2: { medium: 'disk', site: 'two', speed: '0' },
  FULL: { medium: 'full' },
};

/** A catalogue with subscriptions. */
export interface SubscriptionCatalogue extends Catalogue {
  /** Creates a subscription of root; returns its id. */
  subscribe(name: string, filter: object, templates: readonly object[], more?: object): Promise<string>;
  change(name: string, change: SubscriptionChange): Promise<void>;
  subscription(name: string): Promise<Subscription>;
  /** Creates a collection and delivers the change; see {@link Catalogue.add}. */
  make(name: string, type?: DidType, more?: Partial<NewDid>): Promise<void>;
  did(name: string): Promise<Did>;
  /** Delivers the changes of new collections as the stream does. */
  tell(...names: readonly string[]): Promise<void>;
  /** The changes of new collections. */
  changesOf(...names: readonly string[]): Promise<ChangeOf<'did'>[]>;
  tellChanges(...changes: readonly ChangeOf<'did'>[]): Promise<void>;
  rules(name: string): Promise<Rule[]>;
  /** The rules of a collection as `2 of medium=tape`. */
  show(name: string): Promise<string[]>;
  /** Runs the tasks that are due at a time from now, once. */
  work(later?: number): Promise<void>;
}

/** A new catalogue. */
export async function newSubscriptionCatalogue(): Promise<SubscriptionCatalogue> {
  const catalogue = await newCatalogue(undefined, rses);
  const at: Catalogue['at'] = (...when) => catalogue.at(...when);
  await addAccount(at(), { account: 'alice', type: 'USER', email: null });
  const table = () => at().store.table.latest();
  for (const rse of Object.keys(rses)) {
    if (rse === 'FULL') continue;
    for (const account of ['root', 'alice']) await setLimitOnRse(at(), { account, rse, bytes: 1e12 });
  }
  const world: SubscriptionCatalogue = {
    ...catalogue,
    at,
    subscribe(name, filter, replication_rules, more = {}) {
      const options = { comments: null, lifetime: undefined, retroactive: false, dry_run: false, priority: undefined };
      return addSubscription(
        at(),
        { account: 'root', name },
        { filter: { ...filter }, replication_rules: replication_rules.map((one) => ({ ...one })), ...options, ...more },
      );
    },
    change: (name, change) => updateSubscription(at(), { account: 'root', name }, change),
    async subscription(name) {
      const found = await getSubscription(table(), { account: 'root', name });
      if (found === undefined) throw new Error(`there is no subscription ${name}`);
      return found;
    },
    async make(name, type = 'DATASET', more = {}) {
      await catalogue.add(name, type, more);
      await world.tell(name);
    },
    async did(name) {
      const found = await getDid(table(), data(name));
      if (found === undefined) throw new Error(`there is no DID ${name}`);
      return found;
    },
    tell: async (...names) => world.tellChanges(...(await world.changesOf(...names))),
    async changesOf(...names) {
      const dids = await Promise.all(names.map((name) => world.did(name)));
      return dids.map((after) => ({ kind: 'did', id: after.name, at: clock.now(), after }) as const);
    },
    tellChanges: (...changes) => matchNewDids.run(at(), changes),
    rules: (name) => Array.fromAsync(listRulesOf(table(), data(name))),
    show: async (name) =>
      (await world.rules(name)).map(({ copies, rseExpression }) => `${copies} of ${rseExpression}`).toSorted(),
    async work(later = 0) {
      await runDueWork(at(Date.now() + later), 30_000);
    },
  };
  return world;
}
