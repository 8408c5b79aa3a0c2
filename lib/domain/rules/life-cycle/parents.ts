import type { Table } from '../../../store/batches/table.ts';
import { changeRule, listRulesOf, type Rule } from '../../../store/entities/rule.ts';
import type { Write } from '../../../store/items/plan.ts';
import { noteEnd } from './expiry.ts';

/** The rules that wait for another rule of their DID. */
async function parentsOf(table: Table, { id, did, awaited }: Rule): Promise<Rule[]> {
  if (awaited !== true) return [];
  const rules = await Array.fromAsync(listRulesOf(table, did));
  return rules.filter(({ childRuleId }) => childRuleId === id);
}

/** The writes that let the rules go that have waited for this one: it is OK (spec/replication.md 2.8). */
export async function endParents(table: Table, child: Rule, now: number): Promise<Write[]> {
  return (await parentsOf(table, child)).flatMap((parent) => endParent(parent, now));
}

function endParent({ childRuleId, ...parent }: Rule, now: number): Write[] {
  const { id, expiresAt, locked } = parent;
  const patch = { set: { updatedAt: now }, remove: ['childRuleId'] };
  return [changeRule(id, patch, { when: { childRuleId, expiresAt, locked } }), ...noteEnd(parent, now)];
}

/** The writes that let the rules live on that have waited for this one: it goes (spec/replication.md 2.8). */
export async function spareParents(table: Table, child: Rule, now: number): Promise<Write[]> {
  return (await parentsOf(table, child)).map(({ id }) =>
    changeRule(
      id,
      { set: { updatedAt: now }, remove: ['childRuleId', 'expiresAt'] },
      { when: { childRuleId: child.id } },
    ),
  );
}
