import type { RuleMove } from '../../contract/schemas/rule-requests.ts';
import { defined } from '../../defined.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { requireSameDid } from '../../domain/rules/change-options.ts';
import { copyAsRequest } from '../../domain/rules/copy-as-request.ts';
import { failRuleNotFound, readRuleId } from '../../domain/rules/find-rule.ts';
import { patchRule } from '../../domain/rules/patch-rule.ts';
import { type RulesRequest } from '../../domain/rules/rules-request.ts';
import type { Context } from '../../domain/values/context.ts';
import { stateOfRule } from '../../domain/values/rule-state.ts';
import { fail } from '../../errors.ts';
import { getRule, type NewRule, type Rule } from '../../store/entities/rule.ts';
import { addRules } from './add-rules.ts';

/**
 * Creates a copy of a rule for other RSEs. The old rule expires when the new one is OK (spec/replication.md 2.8).
 *
 * @returns The id of the new rule.
 * @throws AccessDenied (401); RucioException (400) for a malformed id; RuleNotFound (404); RuleReplaceFailed,
 *   UnsupportedOperation (409); what {@link addRules} throws.
 */
export async function moveRule(context: Context, path: string, move: RuleMove): Promise<string> {
  const { store, now } = context;
  const text = move.rule_id ?? path;
  const parent = await getRule(store.table, readRuleId(text));
  await authorize(context, 'move_rule', { account: parent?.account });
  requireMovable(parent, text);
  const wish: RulesRequest = {
    ...copyAsRequest(parent, now),
    rse_expression: move.rse_expression,
    comment: parent.comments,
  };
  const [id = ''] = await addRules(context, { ...wish, ...readOverrides(move, wish) }, async (latest, child) => {
    const present = await getRule(latest, parent.id);
    requireMovable(present, text);
    requireSameDid(present, child);
    return { rule: markAwaited(child), writes: patchRule(present, waitForChild(present, child, now), now) };
  });
  return id;
}

function requireMovable(rule: Rule | undefined, text: string): asserts rule is Rule {
  if (rule === undefined || rule.removing === true) failRuleNotFound(text);
  if (rule.childRuleId !== undefined) fail('RuleReplaceFailed', 'The rule must not have a child rule.');
}

/** The new rule, marked so that it releases its parent rule when it is OK. */
function markAwaited(child: NewRule): NewRule {
  return stateOfRule(child) === 'OK' ? child : { ...child, awaited: true };
}

/** The old rule, which expires as soon as the new one is OK, perhaps now. */
function waitForChild(parent: Rule, child: NewRule, now: number): Rule {
  return { ...parent, ...(stateOfRule(child) === 'OK' ? {} : { childRuleId: child.id }), expiresAt: now };
}

function readOverrides({ override, activity, source_replica_expression: source }: RuleMove, wish: RulesRequest) {
  for (const key of Object.keys(override ?? {})) {
    if (key === 'dids' || key === 'session') fail('UnsupportedOperation', `Not allowed to override option ${key}`);
    if (!Object.hasOwn(wish, key)) fail('UnsupportedOperation', `Non-valid override option ${key}`);
  }
  // Two overrides may also be given in an older form.
  const older = { ...(activity ? { activity } : {}), ...(source ? { source_replica_expression: source } : {}) };
  return { ...older, ...defined(override ?? {}) };
}
