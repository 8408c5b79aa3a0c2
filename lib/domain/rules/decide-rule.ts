import { changeRule, getRule, settledRule } from '../../store/entities/rule.ts';
import { insertWork } from '../../store/entities/work.ts';
import { authorize } from '../permission/authorize.ts';
import type { Context } from '../values/context.ts';
import { failWithoutRule, readRuleId } from './find-rule.ts';
import { planRemoval } from './life-cycle/remove.ts';

/**
 * Approves a rule, which is placed then, whatever its account may use; or denies it, and it goes. A rule that does not
 * wait for it stays as it is (spec/replication.md 2.7).
 *
 * @throws AccessDenied (401); RucioException (400) for what is no id; RuleNotFound (404).
 */
export async function decideRule(context: Context, text: string, approve: boolean): Promise<void> {
  const { store, now } = context;
  const id = readRuleId(text);
  await authorize(context, 'approve_rule', {});
  await store.write(async (latest) => {
    const rule = await getRule(latest, id);
    if (rule === undefined) failWithoutRule(text);
    if (rule.status !== 'WAITING_APPROVAL') return [];
    if (!approve) return planRemoval(latest, rule, now);
    const set = { status: 'INJECT', ignoreAccountLimit: true, updatedAt: now };
    return [changeRule(id, { set }, { when: settledRule(rule) }), insertWork({ kind: 'inject', ruleId: id }, now)];
  });
}
