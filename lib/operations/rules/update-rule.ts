import { type RuleOptions, ruleOptionNames } from '../../contract/schemas/rule-requests.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { changeOptions, type RuleChange } from '../../domain/rules/change-options.ts';
import { decideRule } from '../../domain/rules/decide-rule.ts';
import { failRuleNotFound, readRuleId } from '../../domain/rules/find-rule.ts';
import { planCharge } from '../../domain/rules/life-cycle/charge-account.ts';
import {
  isDoneAtOnce,
  noCounting,
  planCounting,
  withCounting,
} from '../../domain/rules/life-cycle/count-in-subscription.ts';
import { patchRule } from '../../domain/rules/patch-rule.ts';
import { rsesOfRule } from '../../domain/rules/rses-of-rule.ts';
import type { Context } from '../../domain/values/context.ts';
import { stateOfRule } from '../../domain/values/rule-state.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { getRule, type Rule } from '../../store/entities/rule.ts';
import type { Plan } from '../../store/items/plan.ts';
import { evaluateRule } from './move-rule.ts';

/**
 * Changes options of a rule, all or none. With `approve` it only approves or denies the rule, with `evaluate` it only places it
 * anew (spec/replication.md 2.4, 2.7).
 *
 * @throws AccessDenied (401); RucioException (400) for a malformed id; RuleNotFound, AccountNotFound (404);
 *   InputValidationError, DuplicateRule (409).
 */
export async function updateRule(context: Context, text: string, options: RuleOptions): Promise<void> {
  const { approve, account, locked, comment } = options;
  if (approve !== undefined) return decideRule(context, text, { approve, reason: comment ?? '' });
  if (options.evaluate === true) {
    if (Object.keys(options).length > 1) fail('InputValidationError', 'evaluate goes with no other option.');
    await evaluateRule(context, text);
    return;
  }
  const id = readRuleId(text);
  let attempt = 0;
  await context.store.write(async (latest) => {
    attempt += 1;
    const rule = await getRule(latest, id);
    const isPrivileged = account !== undefined || locked === true;
    await authorize(context, 'update_rule', {
      account: rule?.account,
      isPrivileged,
      options: Object.keys(options),
      rses: () => rsesOfRule(context.store.table, rule),
    });
    const unknown = Object.keys(options).find((key) => !ruleOptionNames.has(key));
    if (unknown !== undefined) fail('InputValidationError', `${unknown} is not a valid option to set.`);
    if (rule === undefined || rule.removing === true) failRuleNotFound(text);
    const { now } = context;
    return planChange(latest, rule, await changeOptions(latest, rule, options, now), { attempt, now });
  });
}

/** The change of a rule, with what follows from it: its subscription counts it, and its locks are charged. */
async function planChange(latest: Table, before: Rule, change: RuleChange, { attempt, now }: Attempt): Promise<Plan> {
  const { rule: after, counters = {}, writes } = change;
  const { ok = 0, replicating = 0, stuck = 0 } = counters;
  const shown = {
    ...after,
    ok: after.ok + ok,
    replicating: after.replicating + replicating,
    stuck: after.stuck + stuck,
  };
  const isCounted = stateOfRule(shown) !== stateOfRule(before) && isDoneAtOnce(attempt);
  const counting = isCounted ? await planCounting(latest, [shown]) : noCounting;
  // A plan changes a file once: if it has changed locks already, the task charges them.
  const isCharged = after.account !== before.account && Object.keys(counters).length === 0;
  const charged = isCharged ? await planCharge(latest.latest(), after, now) : [];
  return [
    ...patchRule(before, withCounting(after, counting), now, counters),
    ...writes,
    ...counting.writes,
    ...charged,
  ];
}

interface Attempt {
  /** How often the plan was made, from 1. */
  readonly attempt: number;
  readonly now: number;
}
