import { forEachLimited } from '../../../parallel.ts';
import { splitIntoChunks } from '../../../rows/split-into-chunks.ts';
import type { Table } from '../../../store/batches/table.ts';
import { getRule, getRules } from '../../../store/entities/rule.ts';
import type { Plan } from '../../../store/items/plan.ts';
import { changesOf } from '../../../store/stream/change.ts';
import type { AnonymousContext } from '../../values/context.ts';
import type { Reaction } from '../../values/reaction.ts';
import { countInSubscription, isCountedWrongly } from './count-in-subscription.ts';
import { releaseParents, releasesParents } from './parent-rules.ts';

/** The most rules handled in parallel. */
const maxParallelRules = 8;

/** The most rules that are counted by one plan, so that it fits into a transaction. */
const rulesPerPlan = 90;

/** Reacts to changed states of rules: releases their parent rules, and counts them in their subscriptions. */
export const followRules: Reaction = {
  name: 'follow rules',
  kinds: ['rule'],
  async run(context, changes) {
    const rules = changesOf('rule', changes).flatMap(({ after }) => after ?? []);
    const awaited = new Set(rules.filter(releasesParents).map(({ id }) => id));
    const errors: unknown[] = [];
    const attempt = (task: Promise<void>) => task.catch((error: unknown) => void errors.push(error));
    await forEachLimited([...awaited], maxParallelRules, (id) => attempt(releaseParentsOf(context, id)));
    const counted = Map.groupBy(rules.filter(isCountedWrongly), ({ subscriptionId = '' }) => subscriptionId);
    for (const changed of counted.values()) {
      for await (const ids of splitIntoChunks(new Set(changed.map(({ id }) => id)), rulesPerPlan)) {
        await attempt(countRules(context, ids));
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'what follows from some rules failed');
  },
};

async function releaseParentsOf({ store, now }: AnonymousContext, id: string): Promise<void> {
  await store.write(async (latest) => {
    const table = latest.latest();
    const rule = await getRule(table, id);
    return rule !== undefined && releasesParents(rule) ? releaseParents(table, rule, now) : [];
  });
}

async function countRules({ store }: AnonymousContext, ids: readonly string[]): Promise<void> {
  const plan = async (latest: Table): Promise<Plan> => {
    const table = latest.latest();
    return countInSubscription(table, [...(await getRules(table, ids)).values()]);
  };
  await store.write(plan, { inBackground: true });
}
