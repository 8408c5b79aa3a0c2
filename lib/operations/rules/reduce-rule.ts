import { clock } from '../../clock.ts';
import type { RuleReduction } from '../../contract/schemas/rule-requests.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { copyAsRequest } from '../../domain/rules/copy-as-request.ts';
import { failRuleNotFound, readRuleId } from '../../domain/rules/find-rule.ts';
import { removeRuleNow } from '../../domain/rules/life-cycle/remove-rule.ts';
import type { Context } from '../../domain/values/context.ts';
import { stateOfRule } from '../../domain/values/rule-state.ts';
import { fail } from '../../errors.ts';
import { log } from '../../log.ts';
import { changeRule, requireSettledRule } from '../../store/entities/rule-writes.ts';
import { getRule, type NewRule, type Rule } from '../../store/entities/rule.ts';
import { insertWork } from '../../store/entities/work.ts';
import type { Write } from '../../store/items/plan.ts';
import { addRules } from './add-rules.ts';
import { requireRemovable } from './delete-rule.ts';

/** Time that a request spends on releasing the locks of the old rule; the rest is left to a task. */
const removalTimeoutMs = 2_000;

/**
 * Replaces a rule by one with fewer copies, which must be OK at once (spec/replication.md 2.6). One plan creates the
 * new rule and marks the old one as removed. The old locks are on the same replicas, so they are released afterwards.
 *
 * @returns The id of the new rule.
 * @throws AccessDenied (401); RucioException (400) for a malformed id; RuleNotFound (404); RuleReplaceFailed (409);
 *   UnsupportedOperation (409) for a locked rule, and for one that waits for a child rule; what {@link addRules}
 *   throws.
 */
export async function reduceRule(
  context: Context,
  text: string,
  { copies, exclude_expression: exclude }: RuleReduction,
): Promise<string> {
  const { store, now } = context;
  const old = await getRule(store.table, readRuleId(text));
  await authorize(context, 'reduce_rule', { account: old?.account });
  requireReducible(old, text, copies);
  const { rseExpression } = old;
  const wish = {
    ...copyAsRequest(old, now),
    copies,
    rse_expression: exclude ? `(${rseExpression})\\(${exclude})` : rseExpression,
  };
  const [id = ''] = await addRules(context, wish, async (latest, rule) => {
    requireOk(rule);
    const present = await getRule(latest, old.id);
    requireReducible(present, text, copies);
    return { rule, writes: markRemoved(present, now) };
  });
  await removeLocks(context, old.id);
  return id;
}

function requireReducible(rule: Rule | undefined, text: string, copies: number): asserts rule is Rule {
  if (rule === undefined || rule.removing === true) failRuleNotFound(text);
  if (copies >= rule.copies) fail('RuleReplaceFailed', 'Copies of the new rule must be smaller than the old rule.');
  if (stateOfRule(rule) !== 'OK') fail('RuleReplaceFailed', 'The source rule must be in state OK.');
  requireRemovable(rule);
}

function requireOk(rule: NewRule): void {
  if (stateOfRule(rule) !== 'OK') fail('RuleReplaceFailed', 'The replacement of the rule failed.');
}

/** The writes that mark a rule as removed, and create the task that releases its locks. */
function markRemoved(rule: Rule, now: number): Write[] {
  return [
    changeRule(rule.id, { set: { removing: true, updatedAt: now } }, { when: requireSettledRule(rule) }),
    insertWork({ kind: 'remove', ruleId: rule.id }, now),
  ];
}

/** Releases the locks within the request. A failure is only logged, since the task repeats it. */
async function removeLocks({ store, now }: Context, id: string): Promise<void> {
  try {
    await removeRuleNow(store.begin(), id, { now, until: clock.now() + removalTimeoutMs });
  } catch (error) {
    log.warn('the locks of a reduced rule are left to the task', { rule: id, because: String(error) });
  }
}
