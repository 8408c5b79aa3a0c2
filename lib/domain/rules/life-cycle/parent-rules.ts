import type { Table } from '../../../store/batches/table.ts';
import { changeRule, listRulesOf, type Rule } from '../../../store/entities/rule.ts';
import type { Write } from '../../../store/items/plan.ts';
import { scheduleEnd } from './rule-end.ts';

/** The rules that wait for another rule (their child) on the same DID. */
async function parentsOf(table: Table, { id, did, awaited }: Rule): Promise<Rule[]> {
  if (awaited !== true) return [];
  const rules = await Array.fromAsync(listRulesOf(table, did));
  return rules.filter(({ childRuleId }) => childRuleId === id);
}

/**
 * Releases the parent rules that wait for this child rule, which is OK: they may expire now (spec/replication.md 2.8).
 */
export async function releaseParents(table: Table, child: Rule, now: number): Promise<Write[]> {
  return (await parentsOf(table, child)).flatMap((parent) => endParent(parent, now));
}

function endParent({ childRuleId, ...parent }: Rule, now: number): Write[] {
  const { id, expiresAt, locked } = parent;
  const patch = { set: { updatedAt: now }, remove: ['childRuleId'] };
  return [changeRule(id, patch, { when: { childRuleId, expiresAt, locked } }), ...scheduleEnd(parent, now)];
}

/**
 * Keeps the parent rules that wait for this child rule, which is being deleted: they no longer expire
 * (spec/replication.md 2.8).
 */
export async function keepParents(table: Table, child: Rule, now: number): Promise<Write[]> {
  return (await parentsOf(table, child)).map(({ id }) =>
    changeRule(
      id,
      { set: { updatedAt: now }, remove: ['childRuleId', 'expiresAt'] },
      { when: { childRuleId: child.id } },
    ),
  );
}
