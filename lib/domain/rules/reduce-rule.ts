import type { RuleReduction } from '../../contract/schemas/rule-requests.ts';
import { fail, RucioError } from '../../errors.ts';
import { getRule, type NewRule } from '../../store/entities/rule.ts';
import { authorize } from '../authorize.ts';
import type { Context } from '../context.ts';
import { addRules } from './add-rules.ts';
import { requireRemovable } from './delete-rule.ts';
import { failWithoutRule, readRuleId } from './get-rule.ts';
import { planRemoval, removeRuleNow } from './life-cycle/remove.ts';
import { stateOfRule } from './state.ts';
import { wishOf } from './wish-of.ts';

/** How long the removal of what was made in vain may take, in milliseconds. */
const patience = 10_000;

/**
 * Replaces a rule by one with fewer copies, which must be OK at once (spec/replication.md 2.6). The new one is made before
 * the old one goes: whoever dies between has two.
 *
 * @returns The id of the new rule.
 * @throws AccessDenied (401); RucioException (400) for what is no id; RuleNotFound (404); RuleReplaceFailed (409);
 *   UnsupportedOperation (409) for a locked rule, and for one that waits for another; what {@link addRules} throws.
 */
export async function reduceRule(
  context: Context,
  text: string,
  { copies, exclude_expression: exclude }: RuleReduction,
): Promise<string> {
  const { store, now } = context;
  const old = await getRule(store.table, readRuleId(text));
  await authorize(context, 'reduce_rule', { account: old?.account });
  if (old === undefined || old.removing === true) failWithoutRule(text);
  if (copies >= old.copies) fail('RuleReplaceFailed', 'Copies of the new rule must be smaller than the old rule.');
  if (stateOfRule(old) !== 'OK') fail('RuleReplaceFailed', 'The source rule must be in state OK.');
  requireRemovable(old);
  const { rseExpression } = old;
  const wish = {
    ...wishOf(old, now),
    copies,
    rse_expression: exclude ? `(${rseExpression})\\(${exclude})` : rseExpression,
  };
  const [id = ''] = await addRules(context, wish, { check: requireOk, goesOn: true });
  try {
    return await store.decide(async (latest) => {
      const [present, fresh] = await Promise.all([getRule(latest, old.id), getRule(latest, id)]);
      requireOk(fresh);
      return { writes: present === undefined ? [] : await planRemoval(latest, present, now), answer: id };
    });
  } catch (error) {
    // A copy was lost in between.
    if (error instanceof NotOk) await removeRuleNow(store.begin(), id, { now, until: Date.now() + patience });
    throw error;
  }
}

/** The new rule is not OK, so that the old one has to stay. */
class NotOk extends RucioError {
  constructor() {
    super('RuleReplaceFailed', 'The replacement of the rule failed.');
  }
}

function requireOk(rule: NewRule | undefined): void {
  if (rule === undefined || stateOfRule(rule) !== 'OK') throw new NotOk();
}
