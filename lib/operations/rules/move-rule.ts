import type { RuleMove } from '../../contract/schemas/rule-requests.ts';
import { defined } from '../../defined.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { failWithoutRule, readRuleId } from '../../domain/rules/find-rule.ts';
import { requireSameDid } from '../../domain/rules/options.ts';
import { patchRule } from '../../domain/rules/patch-rule.ts';
import { type RuleWishes } from '../../domain/rules/rule-wishes.ts';
import { wishOf } from '../../domain/rules/wish-of.ts';
import type { Context } from '../../domain/values/context.ts';
import { stateOfRule } from '../../domain/values/rule-state.ts';
import { fail } from '../../errors.ts';
import { getRule, type NewRule, type Rule } from '../../store/entities/rule.ts';
import { addRules } from './add-rules.ts';

/**
 * Makes a rule like another one, for other RSEs, and lets the present one go when the new one is OK (spec/replication.md
 * 2.8).
 *
 * @returns The id of the new rule.
 * @throws AccessDenied (401); RucioException (400) for what is no id; RuleNotFound (404); RuleReplaceFailed,
 *   UnsupportedOperation (409); what {@link addRules} throws.
 */
export async function moveRule(context: Context, path: string, move: RuleMove): Promise<string> {
  const { store, now } = context;
  const text = move.rule_id ?? path;
  const parent = await getRule(store.table, readRuleId(text));
  await authorize(context, 'move_rule', { account: parent?.account });
  requireMovable(parent, text);
  const wish: RuleWishes = {
    ...wishOf(parent, now),
    rse_expression: move.rse_expression,
    comment: parent.comments,
  };
  const [id = ''] = await addRules(context, { ...wish, ...overrides(move, wish) }, async (latest, child) => {
    const present = await getRule(latest, parent.id);
    requireMovable(present, text);
    requireSameDid(present, child);
    return { rule: awaitedOf(child), writes: patchRule(present, waitFor(present, child, now), now) };
  });
  return id;
}

function requireMovable(rule: Rule | undefined, text: string): asserts rule is Rule {
  if (rule === undefined || rule.removing === true) failWithoutRule(text);
  if (rule.childRuleId !== undefined) fail('RuleReplaceFailed', 'The rule must not have a child rule.');
}

/** A new rule that tells the one that waits for it when it is OK. */
function awaitedOf(child: NewRule): NewRule {
  return stateOfRule(child) === 'OK' ? child : { ...child, awaited: true };
}

/** A rule that goes as soon as another one is OK, which may be now. */
function waitFor(parent: Rule, child: NewRule, now: number): Rule {
  return { ...parent, ...(stateOfRule(child) === 'OK' ? {} : { childRuleId: child.id }), expiresAt: now };
}

function overrides({ override, activity, source_replica_expression: source }: RuleMove, wish: RuleWishes) {
  for (const key of Object.keys(override ?? {})) {
    if (key === 'dids' || key === 'session') fail('UnsupportedOperation', `Not allowed to override option ${key}`);
    if (!Object.hasOwn(wish, key)) fail('UnsupportedOperation', `Non-valid override option ${key}`);
  }
  // The older spelling of two overrides.
  const older = { ...(activity ? { activity } : {}), ...(source ? { source_replica_expression: source } : {}) };
  return { ...older, ...defined(override ?? {}) };
}
