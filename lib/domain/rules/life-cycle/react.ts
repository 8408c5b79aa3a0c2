import { forEachLimited } from '../../../parallel.ts';
import type { Table } from '../../../store/batches/table.ts';
import { getRule, getRules, type Rule } from '../../../store/entities/rule.ts';
import type { Plan } from '../../../store/items/plan.ts';
import { changesOf } from '../../../store/stream/change.ts';
import { chunksOf } from '../../values/chunks.ts';
import type { AnonymousContext } from '../../values/context.ts';
import type { Reaction } from '../../values/reaction.ts';
import { stateOfRule } from '../../values/rule-state.ts';
import { countInSubscription } from './count.ts';
import { endParents } from './parents.ts';

/** Rules that are looked at at once. */
const parallel = 8;

/** Rules that a subscription counts in one plan, which fits into a transaction. */
const countedAtOnce = 90;

/** What follows when rules change their states: the rules go that have waited for them, subscriptions count them. */
export const followRules: Reaction = {
  name: 'follow rules',
  kinds: ['rule'],
  async run(context, changes) {
    const rules = changesOf('rule', changes).flatMap(({ after }) => after ?? []);
    const awaited = new Set(rules.filter(awaits).map(({ id }) => id));
    const errors: unknown[] = [];
    const attempt = (task: Promise<void>) => task.catch((error: unknown) => void errors.push(error));
    await forEachLimited([...awaited], parallel, (id) => attempt(endParentsOf(context, id)));
    const counted = Map.groupBy(rules.filter(counts), ({ subscriptionId = '' }) => subscriptionId);
    for (const [subscriptionId, changed] of counted) {
      for await (const ids of chunksOf(new Set(changed.map(({ id }) => id)), countedAtOnce)) {
        await attempt(countRules(context, subscriptionId, ids));
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'what follows from some rules failed');
  },
};

async function endParentsOf({ store, now }: AnonymousContext, id: string): Promise<void> {
  await store.write(async (latest) => {
    const table = latest.latest();
    const rule = await getRule(table, id);
    return rule !== undefined && awaits(rule) ? endParents(table, rule, now) : [];
  });
}

async function countRules({ store }: AnonymousContext, subscriptionId: string, ids: readonly string[]): Promise<void> {
  const plan = async (latest: Table): Promise<Plan> => {
    const table = latest.latest();
    const rules = [...(await getRules(table, ids)).values()].filter(counts);
    return rules.length === 0 ? [] : countInSubscription(table, subscriptionId, rules);
  };
  await store.write(plan, { inBackground: true });
}

/** Whether the rules go that wait for this one. */
function awaits(rule: Rule): boolean {
  return rule.awaited === true && stateOfRule(rule) === 'OK';
}

/** Whether the subscription of a rule counts it in another state than it has. */
function counts(rule: Rule): boolean {
  return rule.subscriptionId !== undefined && rule.countedAs !== stateOfRule(rule);
}
