import { fail, RucioError } from '../../../errors.ts';
import type { Table } from '../../../store/batches/table.ts';
import type { Did } from '../../../store/entities/did.ts';
import { listRulesOf, type NewRule } from '../../../store/entities/rule.ts';
import type { Subscription } from '../../../store/entities/subscription.ts';
import { LostRace, type Write } from '../../../store/items/plan.ts';
import { readOption } from '../../config/options.ts';
import { resolveExpression } from '../../rse-expression/resolve.ts';
import { planUnchangedCheck } from '../../rules/engine/placement.ts';
import { planNewRule } from '../../rules/engine/plan-new-rule.ts';
import { formatDid } from '../../values/format-did.ts';
import { readTemplates, type RuleTemplate } from '../template.ts';
import type { ActiveSubscription } from './active.ts';
import type { CheckedTerms } from './checked-terms.ts';
import { matches } from './matches.ts';
import { draftRule, type PlannedRule, planRule } from './plan-rule.ts';
import {
  chainedTargets,
  findParents,
  type RuleTarget,
  splitTargets,
  type TemplateTask,
  wholeTarget,
} from './targets.ts';

/** A subscription and a collection as it is now. */
export interface Match {
  readonly active: ActiveSubscription;
  readonly did: Did;
  /** For which rule templates, by their places; absent: it is to be found out whether the DID matches at all. */
  readonly places?: readonly number[] | undefined;
}

/** What a subscription makes of a collection. */
export interface PlannedMatch {
  /** Whether the collection is what the subscription wants. */
  readonly isMatch: boolean;
  readonly rules: readonly NewRule[];
  readonly writes: readonly Write[];
  /** What could not be planned; absent: nothing. */
  readonly failure?: PlanFailure;
}

/** Why rules cannot be made as things are. */
export interface PlanFailure {
  /** The places of the templates; absent: all of them. */
  readonly places?: readonly number[];
  readonly error: RucioError;
}

/**
 * Plans the rules that a subscription makes for a collection (spec/access.md 3.8). A rule that is there already is not
 * made again. One template that fails does not keep the others from theirs, unless its expression is none.
 */
export async function planMatch(
  table: Table,
  match: Match,
  { checked, now }: { readonly checked: CheckedTerms; readonly now: number },
): Promise<PlannedMatch> {
  const { active, did, places } = match;
  try {
    if (places === undefined && !matches(did, active.filter)) return { isMatch: false, rules: [], writes: [] };
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

/** All templates of a subscription: one whose expression is none spoils the others, as in Rucio. */
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

/** The rules of a match, template by template. */
class MatchDraft {
  readonly #table: Table;
  readonly #task: DraftTask;
  /** By the place of their template. */
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
    const raced = () => new LostRace(`${formatDid(did)} has got such a rule meanwhile`);
    const writes = planned.flatMap(({ rule, writes: more }) => [...planNewRule(rule, raced, now), ...more]);
    const isPlaced = planned.some(({ rule }) => rule.status === 'ACTIVE');
    return {
      isMatch: true,
      rules: planned.map(({ rule }) => rule),
      writes: [...writes, ...(isPlaced ? [planUnchangedCheck(did)] : [])],
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
    if (chain === undefined) return active.filter.splitRule ? splitTargets(task) : wholeTarget(task);
    const made = (this.#made.get(chain.index) ?? []).map(({ rule }) => rule);
    return chainedTargets(task, chain, await findParents(task, templates[chain.index] as RuleTemplate, made));
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
