import type { Table } from '../../../store/batches/table.ts';
import { changeRule } from '../../../store/entities/rule-writes.ts';
import { getRule, listRulesOf, type Rule } from '../../../store/entities/rule.ts';
import type { Write } from '../../../store/items/plan.ts';
import { resolveIfPossible } from '../../rse-expression/resolve-expression.ts';
import { findLongestLife, endInTime } from '../../values/longest-life.ts';
import { stateOfRule } from '../../values/rule-state.ts';
import { scheduleEnd } from './rule-end.ts';

/** The rules that wait for another rule (their child) on the same DID. */
async function parentsOf(table: Table, { id, did, awaited }: Rule): Promise<Rule[]> {
  if (awaited !== true) return [];
  const rules = await Array.fromAsync(listRulesOf(table, did));
  return rules.filter(({ childRuleId }) => childRuleId === id);
}

/** Whether the rules that wait for this one are to be released. */
export function releasesParents(rule: Rule): boolean {
  return rule.awaited === true && stateOfRule(rule) === 'OK';
}

/**
 * Releases the parent rules that wait for this child rule, which is OK: they may expire now (spec/replication.md 2.8).
 *
 * @param except The parent rules that the plan changes otherwise.
 */
export async function releaseParents(
  table: Table,
  child: Rule,
  now: number,
  except: (ruleId: string) => boolean = () => false,
): Promise<Write[]> {
  const parents = (await parentsOf(table, child)).filter(({ id }) => !except(id));
  return parents.flatMap((parent) => endParent(parent, now));
}

/** A rule without the child rule that it waits for, if that is OK: nothing has released it yet. */
export async function withoutFinishedChild(table: Table, rule: Rule): Promise<Rule> {
  const { childRuleId, ...free } = rule;
  const child = childRuleId === undefined ? undefined : await getRule(table, childRuleId);
  return child !== undefined && stateOfRule(child) === 'OK' ? free : rule;
}

function endParent({ childRuleId, ...parent }: Rule, now: number): Write[] {
  const { id, expiresAt, locked } = parent;
  const patch = { set: { updatedAt: now }, remove: ['childRuleId'] };
  return [changeRule(id, patch, { when: { childRuleId, expiresAt, locked } }), ...scheduleEnd(parent, now)];
}

/**
 * Keeps the parent rules that wait for this child rule, which is being deleted: they no longer expire, unless their RSEs bound
 * their lifetime (spec/replication.md 2.8).
 */
export async function keepParents(table: Table, child: Rule, now: number): Promise<KeptParents> {
  const parents = await parentsOf(table, child);
  // Unless it has left it to another rule itself.
  const predecessor =
    child.successor === undefined ? parents.find(({ successor }) => successor === child.id) : undefined;
  const writes = await Promise.all(parents.map((parent) => keepParent(table, parent, parent === predecessor, now)));
  return { writes: writes.flat(), predecessor };
}

/** Writes that keep the parents of a rule. */
interface KeptParents {
  readonly writes: readonly Write[];
  /** The parent that gets its identity back. */
  readonly predecessor: Rule | undefined;
}

/** @param isHeir Whether it gets back the identity that it has left to its child. */
async function keepParent(table: Table, parent: Rule, isHeir: boolean, now: number): Promise<Write[]> {
  const { childRuleId, expiresAt: _over, ...free } = parent;
  const longest = findLongestLife(await resolveIfPossible(table, parent.rseExpression));
  const kept = endInTime<Parameters<typeof scheduleEnd>[0]>(free, longest, now);
  const { expiresAt } = kept;
  const remove = ['childRuleId', ...(expiresAt === undefined ? ['expiresAt'] : []), ...(isHeir ? ['successor'] : [])];
  const patch = { set: { updatedAt: now, ...(expiresAt === undefined ? {} : { expiresAt }) }, remove };
  return [changeRule(parent.id, patch, { when: { childRuleId } }), ...scheduleEnd(kept, now)];
}
