import { fail, RucioError } from '../../../errors.ts';
import type { Table } from '../../../store/batches/table.ts';
import { getFleet } from '../../../store/entities/rse-fleet.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import type { NewRule } from '../../../store/entities/rule.ts';
import { resolveExpression, resolveIfPossible } from '../../rse-expression/resolve-expression.ts';
import { createSelector } from '../../rules/engine/rule-rses.ts';
import { sumUnit } from '../../rules/engine/unit.ts';
import type { Chain, RuleTemplate } from '../rule-template.ts';

/** The RSEs and copies of a rule. */
export interface RuleTarget {
  readonly rseExpression: string;
  readonly copies: number;
  readonly weight?: string | undefined;
  readonly source?: string | undefined;
}

/** The input of the targets of a template. */
export interface TemplateTask {
  readonly table: Table;
  readonly template: RuleTemplate;
  /** The account of its rules. */
  readonly account: string;
  /** The existing and the planned rules of the subscription on the DID. */
  readonly rules: readonly NewRule[];
}

/** A rule on a single RSE from which another rule is derived. */
export interface Parent {
  readonly rule: NewRule;
  readonly rse: Rse;
}

/** One rule on the whole expression of a template (spec/access.md 3.8). */
export async function planWholeTarget({ table, template }: TemplateTask): Promise<RuleTarget[]> {
  const { rseExpression, weight, sourceReplicaExpression: source } = template;
  return [{ rseExpression, copies: await copiesOf(table, template), weight, source }];
}

/**
 * One rule per copy, each on a single RSE. RSEs of existing rules of the subscription on the DID count first; no targets
 * when these are enough (spec/access.md 3.8).
 *
 * @throws InvalidRuleWeight, InsufficientTargetRSEs, RSEOverQuota, InsufficientAccountLimit (409).
 */
export async function planSplitTargets(task: TemplateTask): Promise<RuleTarget[]> {
  const { table, template } = task;
  const { rseExpression, weight, sourceReplicaExpression: source, ignoreAvailability } = template;
  const rses = await select(task, { rseExpression, copies: await copiesOf(table, template), weight });
  const skipsBlocked = template.copies === 'all' && !ignoreAvailability;
  const usable = skipsBlocked ? rses.filter(({ availabilityWrite }) => availabilityWrite) : rses;
  return usable.map(({ rse }) => ({ rseExpression: rse, copies: 1, weight, source }));
}

/**
 * One rule for each parent rule: at the associated site that the parent's RSE names, or at any site but the parent's
 * (spec/access.md 3.8).
 *
 * @throws InvalidObject (400) when the RSE names fewer sites; what {@link planSplitTargets} throws.
 */
export async function planChainedTargets(
  task: TemplateTask,
  chain: Chain,
  parents: readonly Parent[],
): Promise<RuleTarget[]> {
  const targets: RuleTarget[] = [];
  for (const parent of parents) {
    const chosen =
      chain.algorithm === 'associated_site' ? selectAssociated(parent, chain) : await selectOtherSite(task, parent);
    targets.push(...chosen.map((rseExpression) => ({ rseExpression, copies: 1, source: parent.rse.rse })));
  }
  return targets;
}

/**
 * The parent rules of a chained template: rules of the other template on single RSEs.
 *
 * @throws InvalidReplicationRule (409) when there are none.
 */
export async function findParents(
  { table, rules }: TemplateTask,
  { rseExpression }: RuleTemplate,
  made: readonly NewRule[],
): Promise<Parent[]> {
  const { byName } = await getFleet(table);
  const own = new Set((await resolveIfPossible(table, rseExpression)).map(({ rse }) => rse));
  const onSameRses = rules.filter((rule) => rule.copies === 1 && own.has(rule.rseExpression));
  const parents = [...new Set([...made, ...onSameRses])].flatMap((rule) => {
    const rse = rule.copies === 1 ? byName.get(rule.rseExpression) : undefined;
    return rse === undefined || rse.deletedAt !== undefined ? [] : [{ rule, rse }];
  });
  return parents.length > 0
    ? parents
    : fail('InvalidReplicationRule', `There are no rules on single RSEs of '${rseExpression}' to follow from.`);
}

async function copiesOf(table: Table, { copies, rseExpression }: RuleTemplate): Promise<number> {
  return copies === 'all' ? (await resolveExpression(table, rseExpression)).length : copies;
}

function selectAssociated(
  { rse }: Parent,
  { siteIndex }: Extract<Chain, { readonly algorithm: 'associated_site' }>,
): string[] {
  const sites = attributeOf(rse, 'associated_sites');
  if (sites === undefined) return [];
  const site = sites.split(',')[siteIndex]?.trim();
  return site === undefined || site === ''
    ? fail('InvalidObject', `Parameter associated_site_idx is out of range for the RSE '${rse.rse}'`)
    : [site];
}

async function selectOtherSite(task: TemplateTask, { rule, rse }: Parent): Promise<string[]> {
  const site = attributeOf(rse, 'site');
  const { rseExpression: all } = task.template;
  const rseExpression = site === undefined ? all : `${all}\\site=${site}`;
  const account = rule.account;
  const rses = await select({ ...task, account }, { rseExpression, copies: 1, weight: rule.weight });
  return rses.map((one) => one.rse);
}

function attributeOf({ attributes }: Rse, key: string): string | undefined {
  const value = Object.hasOwn(attributes, key) ? attributes[key] : undefined;
  return value === undefined || value === null || value === '' ? undefined : String(value);
}

/** Selects RSEs of an expression; unwritable ones only if the writable ones are too few. */
async function select({ table, account, rules }: TemplateTask, target: RuleTarget): Promise<Rse[]> {
  const { copies, weight } = target;
  const rses = await resolveExpression(table, target.rseExpression);
  const used = await usedRses(table, rules);
  if (rses.filter(({ id }) => used.has(id)).length >= copies) return [];
  const quota = { account, copies, ...(weight === undefined ? {} : { weight }) };
  const choose = async (among: readonly Rse[]) => {
    const chosen = (await createSelector(table, among, quota)).select(sumUnit([]), {
      rseIds: [...used],
      inOrder: false,
    });
    return chosen.flatMap((id) => rses.find((rse) => rse.id === id) ?? []);
  };
  try {
    return await choose(rses.filter(({ availabilityWrite }) => availabilityWrite));
  } catch (error) {
    if (!(error instanceof RucioError)) throw error;
    return choose(rses);
  }
}

async function usedRses(table: Table, rules: readonly NewRule[]): Promise<ReadonlySet<string>> {
  const expressions = [...new Set(rules.map(({ rseExpression }) => rseExpression))];
  const found = await Promise.all(expressions.map((expression) => resolveIfPossible(table, expression)));
  return new Set(found.flat().map(({ id }) => id));
}
