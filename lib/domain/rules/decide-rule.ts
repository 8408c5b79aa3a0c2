import { getRule, type Rule } from '../../store/entities/rule.ts';
import { insertWork } from '../../store/entities/work.ts';
import { authorize } from '../permission/authorize.ts';
import type { Context } from '../values/context.ts';
import { failRuleNotFound, readRuleId } from './find-rule.ts';
import { isDoneAtOnce, noCounting, planCounting, withCounting } from './life-cycle/count-in-subscription.ts';
import { planRemoval } from './life-cycle/remove-rule.ts';
import { patchRule } from './patch-rule.ts';
import { rsesOfRule } from './rses-of-rule.ts';

/** The decision on a rule that waits for approval. */
export interface Decision {
  readonly approve: boolean;
  /** Why it is denied; empty: not told. */
  readonly reason: string;
}

/**
 * Approves a rule, which is then placed without regard to quota, or denies and removes it. Other rules than those that
 * wait for approval stay unchanged (spec/replication.md 2.7). The reason of a denial is the rule's comment when it ends, so that
 * the events tell it.
 *
 * @throws AccessDenied (401); RucioException (400) for a text that is no id; RuleNotFound (404).
 */
export async function decideRule(context: Context, text: string, { approve, reason }: Decision): Promise<void> {
  const { store, now } = context;
  const id = readRuleId(text);
  await authorize(context, 'approve_rule', {
    rses: async () => rsesOfRule(store.table, await getRule(store.table, id)),
  });
  if (!approve && reason !== '')
    await store.write(async (latest) => {
      const rule = await getRule(latest, id);
      return rule?.status === 'WAITING_APPROVAL' ? patchRule(rule, { ...rule, comments: reason }, now) : [];
    });
  let attempt = 0;
  await store.write(async (latest) => {
    attempt += 1;
    const rule = await getRule(latest, id);
    if (rule === undefined) failRuleNotFound(text);
    if (rule.status !== 'WAITING_APPROVAL') return [];
    if (!approve) return planRemoval(latest, rule, now);
    const approved: Rule = { ...rule, status: 'INJECT', ignoreAccountLimit: true };
    const counting = isDoneAtOnce(attempt) ? await planCounting(latest, [approved]) : noCounting;
    return [
      ...patchRule(rule, withCounting(approved, counting), now),
      insertWork({ kind: 'inject', ruleId: id }, now),
      ...counting.writes,
    ];
  });
}
