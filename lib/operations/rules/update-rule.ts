import { type RuleOptions, ruleOptionNames } from '../../contract/schemas/rule-requests.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { changeOptions } from '../../domain/rules/change-options.ts';
import { decideRule } from '../../domain/rules/decide-rule.ts';
import { failRuleNotFound, readRuleId } from '../../domain/rules/find-rule.ts';
import { patchRule } from '../../domain/rules/patch-rule.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import { getRule } from '../../store/entities/rule.ts';

/**
 * Changes options of a rule, all or none. With `approve` it only approves or denies the rule (spec/replication.md 2.4,
 * 2.7).
 *
 * @throws AccessDenied (401); RucioException (400) for a malformed id; RuleNotFound, AccountNotFound (404);
 *   InputValidationError, DuplicateRule (409).
 */
export async function updateRule(context: Context, text: string, options: RuleOptions): Promise<void> {
  const { approve, account, locked } = options;
  if (approve !== undefined) return decideRule(context, text, approve);
  const id = readRuleId(text);
  await context.store.write(async (latest) => {
    const rule = await getRule(latest, id);
    const isPrivileged = account !== undefined || locked === true;
    await authorize(context, 'update_rule', { account: rule?.account, isPrivileged });
    const unknown = Object.keys(options).find((key) => !ruleOptionNames.has(key));
    if (unknown !== undefined) fail('InputValidationError', `${unknown} is not a valid option to set.`);
    if (rule === undefined || rule.removing === true) failRuleNotFound(text);
    const changed = await changeOptions(latest, rule, options, context.now);
    return [...patchRule(rule, changed.rule, context.now), ...changed.writes];
  });
}
