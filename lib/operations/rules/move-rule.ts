import type { RuleMove } from '../../contract/schemas/rule-requests.ts';
import { defined } from '../../defined.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { requireSameDid } from '../../domain/rules/change-options.ts';
import { copyAsRequest } from '../../domain/rules/copy-as-request.ts';
import { failRuleNotFound, readRuleId } from '../../domain/rules/find-rule.ts';
import { patchRule } from '../../domain/rules/patch-rule.ts';
import { rsesOfRule } from '../../domain/rules/rses-of-rule.ts';
import { type RulesRequest } from '../../domain/rules/rules-request.ts';
import type { Context } from '../../domain/values/context.ts';
import { stateOfRule } from '../../domain/values/rule-state.ts';
import { fail } from '../../errors.ts';
import { getRule, type NewRule, type Rule } from '../../store/entities/rule.ts';
import { addRules } from './add-rules.ts';

/**
 * Creates a copy of a rule for other RSEs, or for those that the same expression names now. The old rule expires when the new one
 * is OK (spec/replication.md 2.8).
 *
 * @returns The id of the new rule.
 * @throws AccessDenied (401); RucioException (400) for a malformed id; RuleNotFound (404); RuleReplaceFailed,
 *   UnsupportedOperation (409); what {@link addRules} throws.
 */
export async function moveRule(context: Context, path: string, move: RuleMove): Promise<string> {
  const text = move.rule_id ?? path;
  const parent = await getRule(context.store.table, readRuleId(text));
  await authorize(context, 'move_rule', { account: parent?.account });
  requireMovable(parent, text);
  const wish: RulesRequest = {
    ...copyAsRequest(parent, context.now),
    rse_expression: move.rse_expression,
    comment: parent.comments,
  };
  return replace(context, parent, { ...wish, ...readOverrides(move, wish) }, waitForChild);
}

/**
 * Places a rule anew by its expression, as its RSEs and their attributes are now: a rule that is like it takes its place once that
 * is OK, so that nothing is let go before there are copies where the expression wants them.
 *
 * @throws AccessDenied (401); RucioException (400) for a malformed id; RuleNotFound (404); RuleReplaceFailed,
 *   UnsupportedOperation (409); what {@link addRules} throws.
 */
export async function evaluateRule(context: Context, text: string): Promise<void> {
  const parent = await getRule(context.store.table, readRuleId(text));
  await authorize(context, 'update_rule', {
    account: parent?.account,
    isPrivileged: false,
    options: ['evaluate'],
    rses: () => rsesOfRule(context.store.table, parent),
  });
  requireMovable(parent, text);
  requirePlaced(parent);
  const { comments: comment, priority, ignoreAccountLimit, eolAt, meta } = parent;
  const wish = { ...copyAsRequest(parent, context.now), comment, priority };
  const kept = defined({ ignoreAccountLimit, eolAt, meta });
  await replace(context, parent, wish, endWithChild, kept);
}

/** Values that a new rule takes over from the replaced one and that no request can name. */
type Kept = Partial<Pick<Rule, 'ignoreAccountLimit' | 'eolAt' | 'meta'>>;

async function replace(
  context: Context,
  parent: Rule,
  wish: RulesRequest,
  endParent: typeof waitForChild,
  kept: Kept = {},
): Promise<string> {
  const [id = ''] = await addRules(context, wish, async (latest, made) => {
    const child = { ...made, ...kept };
    const present = await getRule(latest, parent.id);
    requireMovable(present, parent.id);
    requireSameDid(present, child);
    const predecessor = isSameIdentity(present, child) ? present : undefined;
    const ending = endParent(present, child, context.now);
    const after = predecessor === undefined ? ending : { ...ending, successor: child.id };
    return { rule: markAwaited(child), writes: patchRule(present, after, context.now), predecessor };
  });
  return id;
}

/** Whether two rules of a DID could not be there side by side. */
function isSameIdentity(one: Rule, other: NewRule): boolean {
  const isHeld = one.successor === undefined;
  return (
    isHeld && one.account === other.account && one.copies === other.copies && one.rseExpression === other.rseExpression
  );
}

/** A rule that is not placed yet will be by its expression as it is then; one that is suspended shall stay as it is. */
function requirePlaced({ status, awaited, ...counters }: Rule): void {
  const isPlaced = status === 'ACTIVE' || status === 'FAILED';
  if (!isPlaced) fail('UnsupportedOperation', 'Only a rule that is OK, REPLICATING or STUCK can be evaluated anew.');
  const isOk = stateOfRule({ status, ...counters }) === 'OK';
  if (awaited === true && !isOk)
    fail('UnsupportedOperation', 'Another rule waits for this one, which is evaluated already.');
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

/** As {@link waitForChild}, even if it is locked: the new rule has its lock. */
function endWithChild(parent: Rule, child: NewRule, now: number): Rule {
  const { locked: _locked, ...ending } = waitForChild(parent, child, now);
  return ending;
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
