import { fail, RucioError } from '../../../errors.ts';
import type { Table } from '../../../store/batches/table.ts';
import { type CollectionDid, touchDid } from '../../../store/entities/did.ts';
import { listRulesOf, type NewRule } from '../../../store/entities/rule.ts';
import type { Subscription } from '../../../store/entities/subscription.ts';
import { LostRace, type Write } from '../../../store/items/plan.ts';
import { readOption } from '../../config/read-option.ts';
import { resolveExpression } from '../../rse-expression/resolve-expression.ts';
import { planUnchangedCheck } from '../../rules/engine/did-checks.ts';
import { planNewRule } from '../../rules/engine/plan-new-rule.ts';
import { formatDid } from '../../values/format-did.ts';
import { readTemplates, type RuleTemplate } from '../rule-template.ts';
import type { ActiveSubscription } from './active-subscriptions.ts';
import type { CheckedTerms } from './checked-terms.ts';
import { matchesFilter } from './matches-filter.ts';
import { draftRule, type PlannedRule, planRule } from './plan-rule.ts';
import {
  planChainedTargets,
  findParents,
  type RuleTarget,
  planSplitTargets,
  type TemplateTask,
  planWholeTarget,
} from './rule-targets.ts';

/** A subscription and the current state of a collection. */
export interface Match {
  readonly active: ActiveSubscription;
  readonly did: CollectionDid;
  /** The indexes of the rule templates to apply; absent: all, if the DID matches the filter. */
  readonly places?: readonly number[] | undefined;
}

/** The result of matching a collection. */
export interface PlannedMatch {
  /** Whether the collection matches the filter. */
  readonly isMatch: boolean;
  readonly rules: readonly NewRule[];
  readonly writes: readonly Write[];
  /** Absent: all rules could be planned. */
  readonly failure?: PlanFailure;
}

/** Why some rules cannot be created now. */
export interface PlanFailure {
  /** The indexes of the failed templates; absent: all. */
  readonly places?: readonly number[];
  readonly error: RucioError;
}

/**
 * Plans the rules of a subscription for a collection (spec/access.md 3.8). Existing rules are not created again. A failing
 * template does not stop the others, unless its expression is malformed.
 */
export async function planMatch(
  table: Table,
  match: Match,
  { checked, now }: { readonly checked: CheckedTerms; readonly now: number },
): Promise<PlannedMatch> {
  const { active, did, places } = match;
  try {
    if (places === undefined && !matchesFilter(did, active.filter)) return { isMatch: false, rules: [], writes: [] };
    const templates = await readAll(table, active.subscription);
    const activity = await readOption(table, 'rules', 'default_activity');
    const existing = (await Array.fromAsync(listRulesOf(table, did))).filter(({ removing }) => removing !== true);
    const draft = new MatchDraft(table, { ...match, existing, templates, activity, checked, now });
    for (const place of places ?? templates.keys()) await draft.add(place);
    return draft.planned();
  } catch (error) {
    if (!(error instanceof RucioError)) throw error;
    return { isMatch: true, rules: [], writes: [], failure: { ...(places && { places }), error } };
  }
}

/** All templates of a subscription. One with a malformed expression fails all, as in Rucio. */
async function readAll(table: Table, { replicationRules }: Subscription): Promise<readonly RuleTemplate[]> {
  const templates = readTemplates(replicationRules).map(
    (template, place) =>
      template ?? fail('InvalidReplicationRule', `The rule ${place + 1} of the subscription cannot be read.`),
  );
  for (const { rseExpression } of templates) await resolveExpression(table, rseExpression);
  return templates;
}

interface DraftTask extends Match {
  readonly existing: readonly NewRule[];
  readonly templates: readonly RuleTemplate[];
  readonly activity: string;
  readonly checked: CheckedTerms;
  readonly now: number;
}

/** Collects the rules of a match, template by template. */
class MatchDraft {
  readonly #table: Table;
  readonly #task: DraftTask;
  /** By the index of their template. */
  readonly #made = new Map<number, PlannedRule[]>();
  readonly #failed: number[] = [];
  #error: RucioError | undefined;

  constructor(table: Table, task: DraftTask) {
    this.#table = table;
    this.#task = task;
  }

  async add(place: number): Promise<void> {
    const template = this.#task.templates[place];
    if (template === undefined) return;
    const made: PlannedRule[] = [];
    this.#made.set(place, made);
    try {
      const targets = await this.#targetsOf(template);
      for (const target of targets)
        await this.#make(template, target, made).catch((error: unknown) => this.#fail(place, error));
    } catch (error) {
      this.#fail(place, error);
    }
  }

  planned(): PlannedMatch {
    const planned = this.#all();
    const { did, now } = this.#task;
    const raced = () => new LostRace(`${formatDid(did)} got the same rule concurrently`);
    const writes = planned.flatMap(({ rule, writes: more }) => [...planNewRule(rule, raced, now), ...more]);
    const isPlaced = planned.some(({ rule }) => rule.status === 'ACTIVE');
    const check = isPlaced ? planUnchangedCheck(did) : touchDid(did);
    return {
      isMatch: true,
      rules: planned.map(({ rule }) => rule),
      writes: writes.length === 0 ? [] : [...writes, check],
      ...(this.#error === undefined ? {} : { failure: { places: this.#failed, error: this.#error } }),
    };
  }

  #all(): PlannedRule[] {
    return [...this.#made.values()].flat();
  }

  #fail(place: number, error: unknown): void {
    if (!(error instanceof RucioError)) throw error;
    this.#error ??= error;
    if (!this.#failed.includes(place)) this.#failed.push(place);
  }

  async #targetsOf(template: RuleTemplate): Promise<RuleTarget[]> {
    const { active, existing, templates } = this.#task;
    const { id, account: owner } = active.subscription;
    const own = existing.filter(({ subscriptionId }) => subscriptionId === id);
    const rules = [...own, ...this.#all().map(({ rule }) => rule)];
    const task: TemplateTask = { table: this.#table, template, account: template.account ?? owner, rules };
    const { chain } = template;
    if (chain === undefined) return active.filter.splitRule ? planSplitTargets(task) : planWholeTarget(task);
    const made = (this.#made.get(chain.index) ?? []).map(({ rule }) => rule);
    return planChainedTargets(task, chain, await findParents(task, templates[chain.index] as RuleTemplate, made));
  }

  async #make(template: RuleTemplate, target: RuleTarget, made: PlannedRule[]): Promise<void> {
    const { active, did, existing, checked, activity, now } = this.#task;
    const { subscription } = active;
    const rule = draftRule({ subscription, did, template, target, activity, now });
    const others = [...existing, ...this.#all().map((planned) => planned.rule)];
    if (others.some((other) => isSame(other, rule))) return;
    const terms = await checked.check(this.#table, rule);
    made.push(await planRule(this.#table, { rule, did, terms, now }));
  }
}

function isSame(a: NewRule, b: NewRule): boolean {
  return a.account === b.account && a.rseExpression === b.rseExpression && a.copies === b.copies;
}
