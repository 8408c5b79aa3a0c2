import { fail } from '../../../errors.ts';
import { pythonText } from '../../../python/text.ts';
import type { Table } from '../../../store/batches/table.ts';
import type { CollectionDid } from '../../../store/entities/did.ts';
import type { NewRule } from '../../../store/entities/rule.ts';
import type { Subscription } from '../../../store/entities/subscription.ts';
import type { Write } from '../../../store/items/plan.ts';
import { type VerifiedTerms, withTerms } from '../../rules/engine/check-terms.ts';
import { RequestPlacements } from '../../rules/engine/request-placements.ts';
import { buildRule } from '../../rules/new-rule.ts';
import type { RuleTemplate } from '../rule-template.ts';
import type { RuleTarget } from './rule-targets.ts';

/** Rucio copies this much of a subscription's comments into a rule. */
const maxCommentLength = 255;

/** The longest lifetime of a rule, as for rules that clients request. */
const maxRuleSeconds = 1e10;

/** The priority of every rule of a subscription. */
const priority = 3;

/** The input of a rule. */
export interface RuleDraft {
  readonly subscription: Subscription;
  readonly did: CollectionDid;
  readonly template: RuleTemplate;
  readonly target: RuleTarget;
  /** The activity of templates without one. */
  readonly activity: string;
  readonly now: number;
}

/**
 * The rule of a template, not placed yet, with the defaults of spec/access.md 3.8.
 *
 * @throws InvalidObject (400) when it would last, or wait, for more than 300 years.
 */
export function draftRule({ subscription, did, template, target, activity, now }: RuleDraft): NewRule {
  const { lifetime = 0, delayInjection = 0 } = template;
  if (Math.max(lifetime, delayInjection) > maxRuleSeconds) {
    fail('InvalidObject', `A rule cannot last or wait for more than ${maxRuleSeconds} seconds`);
  }
  const wish = {
    account: template.account ?? subscription.account,
    rse_expression: target.rseExpression,
    copies: target.copies,
    weight: target.weight,
    source_replica_expression: target.source,
    grouping: template.grouping,
    lifetime: template.lifetime,
    locked: template.locked,
    activity: template.activity ?? activity,
    purge_replicas: template.purgeReplicas,
    ignore_availability: template.ignoreAvailability,
    comment: template.comments ?? pythonText(subscription.comments).slice(0, maxCommentLength),
    subscription_id: subscription.id,
    priority,
  };
  const rule = buildRule(did, wish, now);
  return delayInjection === 0 ? rule : { ...rule, createdAt: now + delayInjection * 1_000 };
}

/** A rule to create and the writes of its placement. */
export interface PlannedRule {
  readonly rule: NewRule;
  readonly writes: readonly Write[];
}

interface RulePlan {
  readonly rule: NewRule;
  readonly did: CollectionDid;
  readonly terms: VerifiedTerms;
  readonly now: number;
}

/**
 * Places a rule on a dataset without files at once; a task places all others. The plan must confirm the DID of a placed
 * rule.
 *
 * @throws InsufficientTargetRSEs, RSEOverQuota, InsufficientAccountLimit (409).
 */
export async function planRule(table: Table, { rule, did, terms, now }: RulePlan): Promise<PlannedRule> {
  const checked = withTerms(rule, terms);
  if (rule.createdAt > now) return { rule: checked, writes: [] };
  if (did.type === 'DATASET' && rule.grouping !== 'NONE') terms.selector.requireQuota(did.bytes ?? 0);
  if (did.type !== 'DATASET' || Number(did.length ?? 0) > 0) return { rule: checked, writes: [] };
  const placements = new RequestPlacements(table, terms, now);
  const placed = placements.counted(await placements.place(checked, did));
  // The plan confirms the DID once for all rules.
  return { rule: placed, writes: placements.writes().filter(({ kind }) => kind === 'insert') };
}
